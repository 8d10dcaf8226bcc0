package layering

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A rule is "before < after" or "before !< after".
type rule struct {
	before []string
	op     string
	after  []string
}

// parse reads rules. A chain a < b < c becomes two of them.
func parse(text string) ([]rule, error) {
	var rules []rule
	for i, statement := range statements(text) {
		fields := tokens(statement)
		list, fields, err := names(fields)
		if err == nil && len(fields) == 0 {
			err = fmt.Errorf("no < in it")
		}
		for err == nil && len(fields) > 0 {
			op := fields[0]
			if op != "<" && op != "!<" {
				err = fmt.Errorf("%q where < or !< was expected", op)
				break
			}
			var after []string
			if after, fields, err = names(fields[1:]); err == nil {
				rules = append(rules, rule{list, op, after})
				list = after
			}
		}
		if err != nil {
			return nil, fmt.Errorf(
				"rule %d, %q: %w",
				i+1,
				strings.Join(tokens(statement), " "),
				err,
			)
		}
	}
	return rules, nil
}

// statements drops comments and splits the text at semicolons.
func statements(text string) []string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "#")
		b.WriteString(code + "\n")
	}
	all := strings.Split(b.String(), ";")
	if last := len(all) - 1; strings.TrimSpace(all[last]) == "" {
		all = all[:last]
	}
	return all
}

func tokens(statement string) []string {
	return strings.Fields(
		strings.NewReplacer(",", " , ", "!<", " !< ", "<", " < ").Replace(statement),
	)
}

// names splits a list of names off the front of fields.
func names(fields []string) (list, rest []string, err error) {
	for {
		if len(fields) == 0 || slices.Contains([]string{",", "<", "!<"}, fields[0]) {
			return nil, nil, fmt.Errorf("a name is missing")
		}
		list, fields = append(list, fields[0]), fields[1:]
		if len(fields) == 0 || fields[0] != "," {
			return list, fields, nil
		}
		fields = fields[1:]
	}
}

// order maps each name to the set of names it may import.
type order map[string]map[string]bool

// closure returns the order that rules define. Each name has to be defined
// once, before it is used.
func closure(rules []rule) (order, error) {
	o := order{}
	for _, r := range rules {
		if r.op == "!<" {
			continue
		}
		allowed := map[string]bool{}
		for _, b := range r.before {
			if b == "NONE" {
				continue
			}
			if o[b] == nil {
				return nil, fmt.Errorf("%s is used before it is defined", b)
			}
			allowed[b] = true
			for name := range o[b] {
				allowed[name] = true
			}
		}
		for _, a := range r.after {
			if o[a] != nil || a == "NONE" {
				return nil, fmt.Errorf("%s is defined twice", a)
			}
			o[a] = allowed
		}
	}
	for _, r := range rules {
		if r.op == "<" {
			continue
		}
		for _, b := range r.before {
			for _, a := range r.after {
				if o[a] == nil || o[b] == nil {
					return nil, fmt.Errorf("%s !< %s: there is no rule for one of them", b, a)
				}
				if o[a][b] {
					return nil, fmt.Errorf("%s !< %s, but the rules allow it", b, a)
				}
			}
		}
	}
	return o, nil
}

// direct maps each name left of a < to the names right of it.
func direct(rules []rule) map[string][]string {
	d := map[string][]string{}
	for _, r := range rules {
		for _, b := range r.before {
			d[b] = append(d[b], r.after...)
		}
	}
	return d
}

// ruleFor returns the name whose rules apply to a package: its own name, else
// the x/* directly above it, else the longest x/... above it, else "".
func ruleFor(pkg string, has func(name string) bool) string {
	if has(pkg) {
		return pkg
	}
	if name := path.Dir(pkg) + "/*"; has(name) {
		return name
	}
	for dir := pkg; ; {
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			return ""
		}
		dir = dir[:i]
		if has(dir + "/...") {
			return dir + "/..."
		}
	}
}
