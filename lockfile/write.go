package lockfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// head begins every lock file.
const head = "# lastbit.lock v"

// Write writes the file. The same contents give the same bytes.
func (f *File) Write(w io.Writer) error {
	f.sort()
	p := &printer{Writer: bufio.NewWriter(w)}
	p.WriteString(head + strconv.Itoa(Version) + "\n")
	p.WriteString("# Written by lastbit lock, compared by lastbit check. See docs/use/lock.md.\n")
	trees, sums := map[string]string{}, map[string]string{}
	for _, profile := range f.Profiles {
		p.profile(profile)
		for _, o := range profile.Operations {
			if o.text != "" {
				trees[o.Tree] = o.text
				if kept := f.trees[o.Tree]; kept != "" { // another version of gzip wrote it
					trees[o.Tree] = kept
				}
			}
		}
		for _, l := range profile.Libraries {
			for name, text := range l.Sums {
				sums[l.Functions[name]] = text
			}
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(trees)) {
		p.table("[[tree]]")
		p.text("hash", hash)
		p.lines("text", trees[hash])
	}
	if len(sums) > 0 {
		p.table("[sums]")
	}
	for _, hash := range slices.Sorted(maps.Keys(sums)) {
		p.text(quote(hash), sums[hash])
	}
	return p.Flush()
}

// printer writes TOML. Flush returns its errors.
type printer struct{ *bufio.Writer }

func (p *printer) profile(profile *Profile) {
	p.table("[[profile]]")
	p.text("class", profile.Class)
	if len(profile.Settings) > 0 {
		p.list("settings", profile.Settings)
	}
	for _, o := range profile.Operations {
		p.operation(o)
	}
	for _, l := range profile.Libraries {
		p.table("[[profile.libm]]")
		p.text("library", l.Name)
		p.text("version", l.Version)
		p.text("dtype", l.DType)
		var functions []string
		for _, name := range slices.Sorted(maps.Keys(l.Functions)) {
			functions = append(functions, name+" "+l.Functions[name])
		}
		p.list("functions", functions)
	}
}

func (p *printer) operation(o *Operation) {
	s := o.Spec
	p.table("[[profile.operation]]")
	p.text("target", o.Target)
	p.text("op", string(s.Op))
	p.text("dtype", s.DType.String())
	if s.Acc != 0 {
		p.text("acc", s.Acc.String())
	}
	p.number("n", s.N)
	p.number("m", s.M)
	p.number("cols", s.Cols)
	p.text("axis", s.Axis)
	p.text("trans", s.Trans)
	p.text("order", s.Order)
	p.number("stride", s.Stride)
	p.number("align", s.Align)
	p.number("threads", s.Threads)
	if s.OutIndex != nil {
		fmt.Fprintf(p, "out_index = %s\n", strings.ReplaceAll(fmt.Sprint(s.OutIndex), " ", ", "))
	}
	p.text("device", s.Device)
	if len(s.Env) > 0 {
		p.list("env", s.Env)
	}
	p.text("verdict", o.Verdict)
	p.text("tree", o.Tree)
	p.text("family", o.Family)
	p.text("arithmetic", o.Arithmetic)
	p.text("replay", o.Replay)
	p.text("depends_on_threads", string(o.Threads))
	p.text("depends_on_position", string(o.Position))
	p.text("depends_on_alignment", string(o.Alignment))
	p.text("library", o.Library)
	p.text("kernel", o.Kernel)
	p.text("settings", o.Settings)
	p.text("used_threads", o.UsedThreads)
}

// table begins a table.
func (p *printer) table(name string) { p.WriteString("\n" + name + "\n") }

// text writes a key, unless it is empty.
func (p *printer) text(key, value string) {
	if value != "" {
		p.WriteString(key + " = " + quote(value) + "\n")
	}
}

// number writes a key, unless it is 0.
func (p *printer) number(key string, value int) {
	if value != 0 {
		p.WriteString(key + " = " + strconv.Itoa(value) + "\n")
	}
}

// list writes a list, one element a line.
func (p *printer) list(key string, values []string) {
	p.WriteString(key + " = [\n")
	for _, v := range values {
		p.WriteString("\t" + quote(v) + ",\n")
	}
	p.WriteString("]\n")
}

// lines writes a text of several lines.
func (p *printer) lines(key, value string) {
	if !strings.Contains(value, "\n") {
		p.text(key, value)
		return
	}
	p.WriteString(key + " = '''\n" + value + "'''\n")
}

// quote returns a TOML string: a literal one where that needs no escapes.
func quote(s string) string {
	plain := func(r rune) bool { return r >= ' ' && r != '\'' && r != 0x7f && r != 0xfffd }
	if strings.ContainsRune(s, '"') &&
		!strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return "'" + s + "'"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings have an encoding
	}
	// TOML wants an escape for the one control character that JSON does not.
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}
