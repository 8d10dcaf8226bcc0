package sqlsum

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/probe"
)

// maxRows bounds the rows of the table that are added in one row of a result.
const maxRows = 1 << 34

// A Result is the exact sums of a query.
type Result struct {
	about  about
	parts  []part
	groups map[string]*group
	budget *sums.Budget
	types  []string
}

// A group is the sums of the rows with the same keys.
type group struct {
	rows []int64 // of each part, NULL included
	null []int64 // of each part
	all  []int64 // of each part, as another row counts them; 0 for no such row
	sums []exact.Accumulator
}

// Finish reads the rows of a result. Errors call it by its name, and are of
// type *probe.Fault.
func Finish(in io.Reader, name, format string, budget *sums.Budget) (*Result, error) {
	r, err := finish(in, format, budget)
	var fault *probe.Fault
	if err == nil || errors.As(err, &fault) {
		return r, err
	}
	return nil, &probe.Fault{ID: "bad-rows", Thing: name, Cause: err.Error(),
		Cure: "give all rows of one query that lastbit sql printed, with all their columns, " +
			"unchanged"}
}

// finish is Finish, with errors of any kind.
func finish(in io.Reader, format string, budget *sums.Budget) (*Result, error) {
	from, err := open(in, format)
	if err != nil {
		return nil, err
	}
	rows, err := all(from)
	if err != nil {
		return nil, err
	}
	r, mark, err := described(rows)
	if err != nil {
		return nil, err
	}
	r.budget = budget
	seen := make(map[place]bool, len(rows))
	for i := range rows {
		keys, ok := strings.CutPrefix(rows[i].mark, mark+":")
		switch {
		case !ok:
			return nil, atRow(i, errors.New("it belongs to another query"))
		case rows[i].numbers[atTotal] != int64(len(rows)):
			return nil, fmt.Errorf("there are %d rows, and the query made %d", len(rows),
				rows[i].numbers[atTotal])
		case rows[i].numbers[atPart] == 0:
			continue
		}
		at := place{keys, rows[i].numbers[atPart], rows[i].numbers[atPlace]}
		if seen[at] {
			return nil, atRow(i, errors.New("a row occurs twice"))
		}
		seen[at] = true
		if err := r.add(keys, &rows[i]); err != nil {
			return nil, atRow(i, err)
		}
	}
	return r, r.complete()
}

// A place identifies the sums of a row.
type place struct {
	keys        string
	part, place int64
}

func atRow(i int, err error) error {
	var fault *probe.Fault
	if errors.As(err, &fault) {
		return err
	}
	return fmt.Errorf("row %d: %w", i+1, err)
}

// all reads the rows of a source.
func all(from source) ([]row, error) {
	var rows []row
	for {
		r, err := from.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.check()
		}
		if err != nil {
			return nil, atRow(len(rows), err)
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, errors.New("it has no rows")
	}
	return rows, nil
}

// check compares the numbers of a row with their check.
func (r *row) check() error {
	sum := r.numbers[atPart] + 3*r.numbers[atPlace]
	if r.numbers[atPart] < 0 || r.numbers[atPart] > 1<<20 || r.numbers[atPlace] < 0 ||
		r.numbers[atPlace] > head+signBit+maxExp {
		return errors.New("the columns part and place are not those of a sum")
	}
	for i, v := range r.numbers[atN : atTop+1] {
		sum += int64(2*i+5) * (v % chkModulus)
	}
	if sum%chkModulus != r.numbers[atChk] {
		return errors.New("its numbers were changed on the way: the column chk does not match them")
	}
	return nil
}

// described finds the row that describes the query, and returns an empty Result
// and the mark of all rows.
func described(rows []row) (*Result, string, error) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.numbers[atPart] == 0 })
	if i < 0 {
		return nil, "", errors.New("the row that describes the query is missing")
	}
	words := strings.Split(rows[i].mark, ":")
	if len(words) < 4 || words[1] != "about" {
		return nil, "", atRow(i, errors.New("it does not describe a query"))
	}
	text, err := base64.RawURLEncoding.DecodeString(words[2])
	types, err2 := hex.DecodeString(words[3])
	var a about
	if err = errors.Join(err, err2, json.Unmarshal(text, &a)); err != nil ||
		digest(string(text)) != words[0] {
		return nil, "", atRow(i, errors.New("the description of the query was changed"))
	}
	if a.Version != 1 {
		return nil, "", fmt.Errorf("the query is of version %d, and this program knows version 1",
			a.Version)
	}
	run, err := a.strip(&rows[i])
	if err == nil && rows[i].mark != strings.Join(words[:4], ":") {
		err = errors.New("the description of the query was changed")
	}
	if err != nil {
		return nil, "", atRow(i, err)
	}
	for j := range rows {
		if j == i {
			continue
		}
		of, err := a.strip(&rows[j])
		switch {
		case err != nil:
			return nil, "", atRow(j, err)
		case rows[j].numbers[atPart] == 0:
			return nil, "", atRow(j, errors.New("the rows of two results are mixed"))
		case of != run:
			return nil, "", atRow(j, errors.New("the rows of two runs of the query are mixed: "+
				"its table may have changed between them"))
		}
	}
	r := &Result{about: a, groups: map[string]*group{}, types: strings.Split(string(types), "|")}
	return r, words[0], r.prepare()
}

// prepare checks the description.
func (r *Result) prepare() error {
	d, err := FindDialect(r.about.Dialect)
	if err != nil {
		return err
	}
	for _, a := range r.about.Aggregates {
		op := sums.FindOperation(a.Op)
		if op == nil || len(a.Columns) == 0 || op.IsOfPairs() != (len(a.Columns) == 2) {
			return fmt.Errorf("there is no aggregate %q", a.Op)
		}
	}
	r.parts = parts(r.about.Aggregates)
	if err := r.about.checkDecimals(r.parts); err != nil {
		return err
	}
	if len(r.about.By) == 0 {
		return errors.Join(r.newGroup(""), r.checkTypes(d))
	}
	return r.checkTypes(d)
}

// newGroup adds a group.
func (r *Result) newGroup(keys string) error {
	if err := r.budget.Take(strings.Join(r.about.By, ","), len(r.groups), len(
		r.parts)); err != nil {
		return err
	}
	n := len(r.parts)
	r.groups[keys] = &group{make([]int64, n), make([]int64, n), make([]int64, n),
		make([]exact.Accumulator, n)}
	return nil
}

// add adds a row to its group.
func (r *Result) add(keys string, of *row) error {
	number := of.numbers[atPart]
	if number > int64(len(r.parts)) {
		return fmt.Errorf("the query has %d parts, not %d", len(r.parts), number)
	}
	if r.groups[keys] == nil {
		if len(r.about.By) == 0 {
			return errors.New("it has a key, and the query has none")
		}
		if _, err := r.keysOf(keys); err != nil {
			return err
		}
		if err := r.newGroup(keys); err != nil {
			return err
		}
	}
	i := int(number - 1)
	n, p := of.numbers[atN], of.numbers[atPlace]
	if n < 1 || n > maxRows {
		return fmt.Errorf("it is of %d rows of the table, and 1 to 2^34 can be added", n)
	}
	if err := r.checkWhole(i, of); err != nil {
		return err
	}
	g := r.groups[keys]
	switch p {
	case minusFolded:
		return r.addMinus(&g.sums[i], i, of)
	case counted:
		g.all[i] += n
		return of.checkLimbs(0, 0, 0, 0)
	case foldedAll, unfolded:
		// The numbers of a group that was not folded are in other rows.
		some := of.numbers[atLimb+3]
		switch {
		case r.about.Max == nil || r.parts[i].isProduct():
			return errors.New("it has sums by folds, and the query has none")
		case some < 0 || some > n:
			return fmt.Errorf("column l3: %d of %d rows have a number", some, n)
		}
		g.all[i] += n
		g.null[i] += n - some
		if p == unfolded {
			g.rows[i] += n - some
			return of.checkLimbs(0, 0, 0, 1)
		}
	}
	if g.rows[i] > math.MaxInt64-n {
		return errors.New("the group has more than 2^63 rows")
	}
	g.rows[i] += n
	if p == null {
		g.null[i] += n
		return of.checkLimbs(0, 0, 0, 0)
	}
	return r.addSum(&g.sums[i], i, of)
}

// addSum adds the sum of a row.
func (r *Result) addSum(a *exact.Accumulator, i int, of *row) error {
	v := make([]int64, exact.Limbs)
	n := of.numbers[atN]
	v[0] = n
	switch p := of.numbers[atPlace]; {
	case p == unread && r.isDecimal(i):
		return r.unreadDecimals(i, n)
	case p == unread:
		return fmt.Errorf("the engine's functions did not take %d numbers apart exactly", n)
	case p >= nan && p <= negZero:
		if err := of.checkLimbs(0, 0, 0, 0); err != nil {
			return err
		}
		// The counts of −0, NaN, +Inf and −Inf follow the one of all.
		v[map[int64]int{negZero: 1, nan: 2, posInf: 3, negInf: 4}[p]] = n
		if r.parts[i].summand == "magnitudes" || r.parts[i].summand == "squares" {
			if p == negInf || p == negZero {
				return errors.New("its place is one of numbers below 0, and there are none")
			}
		}
		return a.AddLimbs(v)
	case p == folded:
		return r.addFolds(a, i, n, of)
	case p == foldedAll:
		return r.addFolds(a, i, of.numbers[atLimb+3], of)
	case p >= head:
		return r.addHead(a, i, of)
	case p == decimal:
		return r.addDecimals(a, i, of)
	case r.parts[i].isProduct():
		if p < 2 || p > 2*(maxExp+1) {
			return errors.New("its place is not one of products")
		}
		const l, top = 1<<limbBits - 1, 1<<29 - 1
		if err := of.checkLimbs(l, l, l, top); err != nil {
			return err
		}
		return addScaled(a, n, of.limbs(), int(p)-2*1075)
	default:
		if p < 1 || p > maxExp {
			return errors.New("its place is not one of numbers")
		}
		if err := of.checkLimbs(1<<limbBits-1, 1<<28-1, 1, 0); err != nil {
			return err
		}
		return addScaled(a, n, of.limbs(), int(p)-1075)
	}
}

// addFolds adds sums by folds of n numbers.
func (r *Result) addFolds(a *exact.Accumulator, i int, n int64, of *row) error {
	if r.about.Max == nil || r.parts[i].isProduct() {
		return errors.New("it has sums by folds, and the query has none")
	}
	f, err := FoldsUpTo(*r.about.Max)
	if err != nil {
		return err
	}
	if of.numbers[atN] > f.maxRows {
		return &probe.Fault{ID: "too-many-rows", Thing: "--max",
			Cause: fmt.Sprintf("a group has %d rows, and folds of this bound add "+
				"at most %d exactly",
				of.numbers[atN], f.maxRows),
			Cure: "leave out --max and --scale, for sums by bits"}
	}
	const half = 1 << (limbBits - 1)
	limbs := of.limbs()
	limbs[3] = 0
	if err := checkLimbs(n, limbs, half, half, f.first, 0); err != nil {
		return err
	}
	return addScaled(a, n, limbs, f.unit)
}

// addHead adds a sum of fractions of one sign and exponent.
func (r *Result) addHead(a *exact.Accumulator, i int, of *row) error {
	if r.about.Max == nil || r.parts[i].isProduct() || r.isDecimal(i) {
		return errors.New("it has sums of fractions, and the query has none")
	}
	const maxLow, maxHigh = 1<<limbBits - 1, 1 << (52 - limbBits)
	if err := of.checkLimbs(maxLow, maxHigh, 1, 0); err != nil {
		return err
	}
	bits, n, l := of.numbers[atPlace]-head, of.numbers[atN], of.limbs()
	e, isMinus, zeros := bits&maxExp, bits&signBit != 0 && r.parts[i].summand == "values", l[2]
	if l[0] < 0 || l[1] < 0 || zeros < 0 || zeros == n && (l[0] != 0 || l[1] != 0) {
		return errors.New("its sums are not those of fractions")
	}
	l[2] = 0
	switch {
	case e == maxExp:
		v := make([]int64, exact.Limbs)
		v[0], v[2] = n, n-zeros
		v[map[bool]int{false: 3, true: 4}[isMinus]] = zeros
		return a.AddLimbs(v)
	case e == 0 && isMinus && zeros > 0:
		v := make([]int64, exact.Limbs)
		v[1] = zeros
		if err := a.AddLimbs(v); err != nil {
			return err
		}
	case e > 0:
		l[1] += n << (52 - limbBits)
	}
	if isMinus {
		l[0], l[1] = -l[0], -l[1]
	}
	return addScaled(a, n, l, int(max(e, 1))-1075)
}

// addDecimals adds a sum of decimals.
func (r *Result) addDecimals(a *exact.Accumulator, i int, of *row) error {
	if !r.isDecimal(i) {
		return errors.New("it has sums of decimals, and the query has none")
	}
	if err := of.checkLimbs(1<<limbBits-1, 1<<limbBits-1, 1<<(63-2*limbBits), 0); err != nil {
		return err
	}
	return addScaled(a, of.numbers[atN], of.limbs(), 0)
}

// addMinus counts the −0 among numbers that are folded, in another row.
func (r *Result) addMinus(a *exact.Accumulator, i int, of *row) error {
	if r.about.Max == nil || r.parts[i].summand != "values" {
		return errors.New("it counts −0 among sums by folds, and the query has none")
	}
	v := make([]int64, exact.Limbs)
	v[1] = of.numbers[atN]
	return errors.Join(of.checkLimbs(0, 0, 0, 0), a.AddLimbs(v))
}

func (r *row) limbs() [4]int64 { return [4]int64(r.numbers[atLimb : atLimb+4]) }

// checkLimbs refuses limbs beyond the ones of n summands of such limbs.
func (r *row) checkLimbs(most ...int64) error {
	return checkLimbs(r.numbers[atN], r.limbs(), most...)
}

func checkLimbs(n int64, limbs [4]int64, most ...int64) error {
	for i, l := range limbs {
		bound := new(big.Int).Mul(big.NewInt(most[i]), big.NewInt(n))
		if new(big.Int).Abs(big.NewInt(l)).Cmp(bound) > 0 {
			return fmt.Errorf("column l%d: %d is beyond the sums of %d rows", i, l, n)
		}
	}
	return nil
}

// addScaled adds Σ l[i]·2^(27i)·2^e as the sum of n summands.
func addScaled(a *exact.Accumulator, n int64, l [4]int64, e int) error {
	sum := new(big.Int)
	for i := 3; i >= 0; i-- {
		sum.Lsh(sum, limbBits).Add(sum, big.NewInt(l[i]))
	}
	v, err := vector(n, sum, e)
	if err != nil {
		return err
	}
	return a.AddLimbs(v)
}

// vector returns z·2^e, a sum of n numbers, as package exact adds vectors:
// digits of 32 bits in units of 2^−2148, the last one with the sign.
func vector(n int64, z *big.Int, e int) ([]int64, error) {
	const unit, digitBits, mask = -2148, 32, 1<<32 - 1
	shift := e - unit
	v := make([]int64, exact.Limbs)
	v[0] = n
	digits := v[5:]
	if shift+z.BitLen() >= digitBits*len(digits) {
		return nil, errors.New("its sum is beyond any of so many numbers")
	}
	rest := new(big.Int).Lsh(z, uint(shift%digitBits))
	i, digit := shift/digitBits, new(big.Int)
	for ; !rest.IsInt64(); i++ {
		digits[i] = digit.And(rest, big.NewInt(mask)).Int64()
		rest.Rsh(rest, digitBits) // towards −∞
	}
	last := rest.Int64()
	for ; i < len(digits)-1; i++ {
		digits[i] = last & mask
		last >>= digitBits
	}
	digits[i] = last
	return v, nil
}

// complete checks that every part of a group is of the same rows.
func (r *Result) complete() error {
	for _, g := range r.groups {
		for i := range g.sums {
			c := g.sums[i].Counts()
			if c.NegZero > c.All || c.NegZero == c.All && g.sums[i].Sign() != 0 {
				return errors.New("it counts more −0 than numbers")
			}
		}
		for i, n := range g.rows {
			if n != g.rows[0] || g.all[i] > 0 && n != g.all[i] {
				return errors.New("its sums are of different numbers of rows: " +
					"the table changed during the query, or the query gave other rows each time")
			}
		}
	}
	return nil
}
