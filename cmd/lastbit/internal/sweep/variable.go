package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// Variable is a setting with the values to try. It is a variable of the
// environment, unless an argument has its name in braces.
type Variable struct {
	Name        string   `json:"name"`
	Values      []string `json:"values"`
	Placeholder bool     `json:"placeholder"`
}

// disableFeatures is NumPy's variable, whose value is a list of features.
const disableFeatures = "NPY_DISABLE_CPU_FEATURES"

// MaxCombinations bounds the combinations of a sweep.
const MaxCombinations = 4096

// Parse reads NAME=a,b,c. ranges expands a range such as 1..64, and returns nil
// for any other text.
func Parse(arg string, ranges func(text string) ([]string, error)) (Variable, error) {
	name, list, ok := strings.Cut(arg, "=")
	v := Variable{Name: name}
	bad := func(cause, cure string) (Variable, error) {
		return v, &probe.Fault{ID: "bad-usage", Thing: arg, Cause: cause, Cure: cure}
	}
	if !ok || !isName(name) {
		return bad("it is not NAME=value,value", "write a setting such as M=1..64, and the "+
			"command after --")
	}
	for _, part := range strings.Split(list, ",") {
		values, err := ranges(part)
		if err != nil {
			return v, err
		}
		if values == nil {
			values = []string{part}
		}
		for _, value := range values {
			if slices.Contains(v.Values, value) {
				return bad(fmt.Sprintf("%q comes twice", value), "name each value once")
			}
			v.Values = append(v.Values, value)
		}
	}
	return v, nil
}

// isName reports whether a text can name a variable of the environment.
func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// Settle finds the variables that the arguments of a command have in braces. A
// variable of the environment that has one value gets a second one, "", for
// which nothing is set: the two show whether it takes effect. So does
// disableFeatures with any number of values: only a run without it reports all
// features that there are to disable.
func Settle(variables []Variable, args []string) error {
	if err := checkPlaces(variables, args); err != nil {
		return err
	}
	all := 1
	for i := range variables {
		v := &variables[i]
		v.Placeholder = slices.ContainsFunc(args, func(a string) bool {
			return strings.Contains(a, "{"+v.Name+"}")
		})
		alone := len(v.Values) == 1 || v.Name == disableFeatures
		if !v.Placeholder && alone && !slices.Contains(v.Values, "") {
			v.Values = append([]string{""}, v.Values...)
		}
		for _, w := range variables[:i] {
			if w.Name == v.Name {
				return &probe.Fault{ID: "bad-usage", Thing: v.Name, Cause: "it comes twice",
					Cure: "name each setting once"}
			}
		}
		if all *= len(v.Values); all > MaxCombinations {
			return &probe.Fault{ID: "bad-usage", Thing: "lastbit sweep",
				Cause: fmt.Sprintf("there are more than %d combinations", MaxCombinations),
				Cure:  "try fewer values, such as 1..64:8"}
		}
	}
	return nil
}

// checkPlaces refuses a name in braces that no variable has.
func checkPlaces(variables []Variable, args []string) error {
	for _, a := range args {
		for {
			_, rest, ok := strings.Cut(a, "{")
			if !ok {
				break
			}
			a = rest
			name, _, closed := strings.Cut(rest, "}")
			if !closed || !isName(name) || slices.ContainsFunc(variables, func(v Variable) bool {
				return v.Name == name
			}) {
				continue
			}
			return &probe.Fault{ID: "bad-usage", Thing: "{" + name + "}",
				Cause: "no setting has this name",
				Cure: "write " + name + "=value,value before --, or the name of a setting " +
					"that is there"}
		}
	}
	return nil
}

// Combination is one value of each variable.
type Combination []string

// Combinations returns all of them, the last variable changing fastest.
func Combinations(variables []Variable) []Combination {
	all := []Combination{nil}
	for _, v := range variables {
		var more []Combination
		for _, c := range all {
			for _, value := range v.Values {
				more = append(more, append(slices.Clone(c), value))
			}
		}
		all = more
	}
	return all
}

// Label names a combination: "A=1 B=2". A variable that is not set is left out.
func (c Combination) Label(variables []Variable) string {
	var parts []string
	for i, v := range variables {
		if c[i] != "" || v.Placeholder {
			parts = append(parts, v.Name+"="+c[i])
		}
	}
	if len(parts) == 0 {
		return "none set"
	}
	return strings.Join(parts, " ")
}

// Env returns the assignments of a combination to variables of the environment.
func (c Combination) Env(variables []Variable) (env []string) {
	for i, v := range variables {
		if !v.Placeholder && c[i] != "" {
			env = append(env, v.Name+"="+c[i])
		}
	}
	return env
}

// Fill replaces the names in braces in the arguments of a command.
func (c Combination) Fill(variables []Variable, args []string) []string {
	var pairs []string
	for i, v := range variables {
		if v.Placeholder {
			pairs = append(pairs, "{"+v.Name+"}", c[i])
		}
	}
	filled := make([]string, len(args))
	for i, a := range args {
		filled[i] = strings.NewReplacer(pairs...).Replace(a)
	}
	return filled
}
