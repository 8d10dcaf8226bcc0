package sweep

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// Effect is the answer to whether a value of a setting took effect.
type Effect string

// The effects.
const (
	Confirmed Effect = "confirmed" // the library reports the value
	Order     Effect = "order"     // another value gives another order or arithmetic
	Reported  Effect = "reported"  // another value gives another report
	Refuted   Effect = "refuted"   // the library reports another value, as without the setting
	Replaced  Effect = "replaced"  // the library reports another value, for the sake of this one
	None      Effect = "none"      // nothing that another value changes
)

// Took reports whether the value took effect.
func (e Effect) Took() bool { return e == Confirmed || e == Order || e == Reported }

// Outcome is the effect of one value of a variable of the environment.
type Outcome struct {
	Variable string `json:"variable"`
	Value    string `json:"value"`
	Effect   Effect `json:"effect"`
	Report   string `json:"report"` // of the library, at the first combination with the value
}

// Run is a combination that was run.
type Run struct {
	Values Combination `json:"values"` // in the order of the variables
	Class  int         `json:"class"`
	Report string      `json:"report"`
	Key    probe.Key   `json:"key"`
}

// Report returns everything that a library reports of its settings.
func Report(k probe.Key) string {
	var parts []string
	for _, s := range []string{k.Kernel, k.Settings} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if k.Threads > 0 {
		word := " threads"
		if k.Threads == 1 {
			word = " thread"
		}
		parts = append(parts, strconv.Itoa(k.Threads)+word)
	}
	return strings.Join(parts, ", ")
}

// Outcomes decides for every value of every variable of the environment whether
// it took effect. It compares combinations that differ in this variable alone.
func Outcomes(variables []Variable, runs []Run) (list []Outcome) {
	for at, v := range variables {
		if v.Placeholder {
			continue
		}
		for _, value := range v.Values {
			if value == "" {
				continue
			}
			o := Outcome{Variable: v.Name, Value: value, Effect: None}
			for _, r := range runs {
				if r.Values[at] != value {
					continue
				}
				if o.Report == "" {
					o.Report = r.Report
				}
				if disablesNothing(v.Name, value, runs) {
					continue
				}
				o.Effect = stronger(o.Effect, confirm(v.Name, value, r.Key))
				o.Effect = stronger(o.Effect, comparedIn(runs, r, at))
				if o.Effect == Refuted && comparedIn(without(runs, at), r, at) != None {
					o.Effect = Replaced
				}
			}
			list = append(list, o)
		}
	}
	return list
}

// disablesNothing reports whether a value of disableFeatures names no
// feature that NumPy reports in any run: none of them was there to disable.
func disablesNothing(name, value string, runs []Run) bool {
	if name != disableFeatures {
		return false
	}
	return !slices.ContainsFunc(runs, func(r Run) bool {
		return r.Key.Library != "NumPy" || r.Key.Settings == "" || hasFeature(r.Key, value)
	})
}

// hasFeature reports whether NumPy reports one of the features in a list.
func hasFeature(k probe.Key, list string) bool {
	in := strings.Fields(k.Settings)
	return slices.ContainsFunc(strings.FieldsFunc(list, func(r rune) bool {
		return r == ' ' || r == ',' || r == '\t'
	}), func(f string) bool { return slices.Contains(in, f) })
}

// without returns the runs that do not set a variable, all where each sets it.
func without(runs []Run, at int) []Run {
	set := func(r Run) bool { return r.Values[at] != "" }
	if unset := slices.DeleteFunc(slices.Clone(runs), set); len(unset) > 0 {
		return unset
	}
	return runs
}

// stronger returns the effect that decides: a report of another value before
// everything, then the order of the constants.
func stronger(a, b Effect) Effect {
	for _, e := range []Effect{Replaced, Refuted, Confirmed, Order, Reported} {
		if a == e || b == e {
			return e
		}
	}
	return None
}

// comparedIn returns the effect of the variable at, as a run shows it beside
// those runs of a list that differ from it in this variable only.
func comparedIn(runs []Run, r Run, at int) Effect {
	effect := None
	for _, other := range runs {
		if differOnlyIn(r.Values, other.Values, at) {
			effect = stronger(effect, compared(r, other))
		}
	}
	return effect
}

// compared returns the effect that two runs show.
func compared(a, b Run) Effect {
	switch {
	case a.Class != b.Class:
		return Order
	case a.Report != b.Report:
		return Reported
	}
	return None
}

// differOnlyIn reports whether two combinations differ in one variable alone.
func differOnlyIn(a, b Combination, at int) bool {
	for i := range a {
		if (a[i] != b[i]) != (i == at) {
			return false
		}
	}
	return true
}

// confirm compares a value with the library's own report, where it has one. It
// returns None where it has none.
func confirm(name, value string, k probe.Key) Effect {
	is := func(same bool) Effect {
		if same {
			return Confirmed
		}
		return Refuted
	}
	words := strings.Fields(k.Kernel)
	switch name {
	case "OPENBLAS_CORETYPE":
		if k.Library == "OpenBLAS" && len(words) == 1 || len(words) == 3 && words[0] == "OpenBLAS" {
			return is(coreName(words[len(words)-1]) == coreName(value))
		}
	case "OPENBLAS_NUM_THREADS":
		if k.Threads > 0 && (k.Library == "OpenBLAS" || slices.Contains(words, "OpenBLAS")) {
			return is(strconv.Itoa(k.Threads) == value)
		}
	case "ATEN_CPU_CAPABILITY":
		first, _, _ := strings.Cut(k.Settings, ",")
		if strings.HasPrefix(first, "MKL_CBWR") { // the kernel is the capability
			first = k.Kernel
		}
		if k.Library == "PyTorch" && first != "" {
			return is(strings.EqualFold(first, value))
		}
	case "MKL_CBWR":
		if _, branch, ok := strings.Cut(k.Settings, "MKL_CBWR "); ok {
			wanted, _, _ := strings.Cut(value, ",")
			return is(strings.EqualFold(branch, wanted))
		}
	case disableFeatures:
		if k.Library == "NumPy" && k.Settings != "" {
			return is(!hasFeature(k, value))
		}
	}
	return None
}

// coreName returns the name of OpenBLAS's kernels in lower case. For Prescott's
// kernels some versions report Katmai, the first name of their list.
func coreName(name string) string {
	if name = strings.ToLower(name); name == "katmai" {
		return "prescott"
	}
	return name
}
