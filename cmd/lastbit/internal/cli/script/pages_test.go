package script

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lastbit/lastbit/internal/require"
)

// The documents of the module, seen from this folder, and files that examples
// of a page need: testdata/pages/vet.txtar for docs/use/vet.md.
const (
	module   = "../../../../.."
	fixtures = "testdata/pages"
)

// example is a block of a page with commands, "$ command", and their output.
type example struct {
	line     int // in the page
	commands []command
	machine  string // the sentence that names the machine which printed it, or ""
}

// command is a command line and its output: both streams, as on a terminal.
type command struct{ line, want string }

// ofMachine is a sentence about the examples up to the next heading, or about
// all of a page.
var ofMachine = regexp.MustCompile(
	`^One machine printed (this|these|(?:the )?examples on this page)[,:] \S+`)

// TestPages runs the examples of README.md and of every page of docs in order,
// each page in a folder of its own, and compares their outputs. Examples that a
// page says one machine printed, it leaves out, unless LASTBIT_EXAMPLES=all.
func TestPages(t *testing.T) {
	require.Program(t, "sh")
	on := thisShell(t)
	ran := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(module, page))
		if err != nil {
			t.Fatal(err)
		}
		examples, unused := examplesOf(string(text))
		for _, mark := range unused {
			t.Errorf("%s: no example follows %q", page, mark)
		}
		if os.Getenv("LASTBIT_EXAMPLES") != "all" {
			examples = withoutMachine(examples)
		}
		if ran += len(examples); len(examples) == 0 {
			continue
		}
		t.Run(strings.ReplaceAll(strings.TrimSuffix(page, ".md"), "/", "_"), func(t *testing.T) {
			t.Parallel()
			runExamples(t, page, on, examples)
		})
	}
	if ran < 10 {
		t.Errorf("found only %d examples that run here", ran)
	}
}

// pages returns the paths of the documents in the module.
func pages(t *testing.T) []string {
	all := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	root := filepath.Join(module, "docs")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			rel, _ := filepath.Rel(module, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// examplesOf returns the examples of a page, and the sentences about machines
// that no example follows.
func examplesOf(text string) (all []example, unused []string) {
	var block *example // the one that is open
	fenced, whole, section := false, "", ""
	used := map[string]bool{}
	var marks []string
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			if fenced && block != nil && len(block.commands) > 0 {
				all = append(all, *block)
				used[block.machine] = true
			}
			block = nil
			if fenced = !fenced; fenced && line == "```" {
				block = &example{line: i + 1, machine: section}
				if section == "" {
					block.machine = whole
				}
			}
		case fenced && block != nil:
			block.add(line)
		case fenced:
		case strings.HasPrefix(line, "#"):
			section = ""
		default:
			if m := ofMachine.FindStringSubmatch(line); m != nil {
				marks = append(marks, line)
				if section = line; strings.HasSuffix(m[1], "page") {
					whole = line
				}
			}
		}
	}
	for _, mark := range marks {
		if !used[mark] {
			unused = append(unused, mark)
		}
	}
	return all, unused
}

// add adds a line of a block.
func (e *example) add(line string) {
	if cmd, ok := strings.CutPrefix(line, "$ "); ok {
		e.commands = append(e.commands, command{line: cmd})
	} else if n := len(e.commands); n > 0 {
		e.commands[n-1].want += line + "\n"
	}
}

func withoutMachine(all []example) []example {
	var kept []example
	for _, e := range all {
		if e.machine == "" {
			kept = append(kept, e)
		}
	}
	return kept
}

// shell runs the commands of a page.
type shell struct {
	path     string            // its first python3 has NumPy, if this machine has one
	anywhere *strings.Replacer // of outputs
}

func thisShell(t *testing.T) shell {
	path := os.Getenv("PATH")
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		python, err := exec.LookPath(name)
		if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
			continue
		}
		dir := t.TempDir()
		link := filepath.Join(dir, "python3")
		if err := os.Symlink(python, link); err != nil {
			t.Fatal(err)
		}
		return shell{dir + string(filepath.ListSeparator) + path, strings.NewReplacer(link, python)}
	}
	return shell{path, strings.NewReplacer()}
}

// runExamples runs the examples of a page in one folder: one with the fixtures
// of the page, or the module where a command names its folder examples.
func runExamples(t *testing.T, page string, on shell, examples []example) {
	dir := t.TempDir()
	name := strings.TrimSuffix(filepath.Base(page), ".md")
	if archive, err := txtar.ParseFile(filepath.Join(fixtures, name+".txtar")); err == nil {
		files, err := txtar.FS(archive)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range examples {
		for _, c := range e.commands {
			runCommand(t, page, on, dir, e.line, c)
		}
	}
}

func runCommand(t *testing.T, page string, on shell, dir string, line int, c command) {
	for tool, word := range map[string]string{"numpy": "python3 -c", "go": "go run"} {
		if strings.Contains(c.line, word) {
			Need(t, tool)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", c.line)
	if cmd.Dir = dir; strings.Contains(c.line, "./examples/") {
		cmd.Dir = module
	}
	cmd.Env = append(os.Environ(), "PATH="+on.path, "NO_COLOR=1")
	out, _ := cmd.CombinedOutput() // an exit code is part of a result
	got := anywhere(on.anywhere.Replace(string(out)))
	if !matches(anywhere(c.want), got) {
		t.Errorf("%s:%d: $ %s\nprints\n%s\nThe page has\n%s", page, line, c.line, got, c.want)
	}
}

// goVersion is the part of a key that depends on the platform.
var goVersion = regexp.MustCompile(`\(Go go[0-9.a-z]+\)( \[[^]]*\])?`)

// anywhere leaves out what depends on the platform.
func anywhere(output string) string {
	return goVersion.ReplaceAllString(output, "(Go)")
}

// matches reports whether a page shows an output. A line "…" in the page stands
// for any lines.
func matches(want, got string) bool {
	pattern := regexp.QuoteMeta("\n" + want)
	pattern = strings.ReplaceAll(pattern, "\n…\n", "\n(?:.*\n)*?")
	return regexp.MustCompile(`^` + pattern + `$`).MatchString("\n" + got)
}

func TestExamplesOf(t *testing.T) {
	const page = "# A\n```\n$ one\n1\n$ two\n```\n## B\nOne machine printed this: a Z80.\n```\n" +
		"$ three\n```\n## C\n```\n$ four\n```\n```go\n$ five\n```\n## D\n" +
		"One machine printed this, a Z8000.\n"
	all, unused := examplesOf(page)
	if len(all) != 3 || all[0].commands[0] != (command{"one", "1\n"}) || all[0].line != 2 ||
		all[0].machine != "" || all[1].machine == "" || all[2].machine != "" {
		t.Errorf("the examples are %+v", all)
	}
	if len(unused) != 1 || !strings.Contains(unused[0], "Z8000") {
		t.Errorf("no example follows %q", unused)
	}
	if all, _ := examplesOf("One machine printed the examples on this page: a Z80.\n## A\n" +
		"```\n$ one\n```\n"); len(all) != 1 || all[0].machine == "" {
		t.Errorf("the examples of a page are %+v", all)
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		ok        bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"a\n…\n", "a\n", true},
		{"…\nd\n", "c\nd\n", true},
		{"a … b\n", "a … b\n", true},
		{"a … b\n", "a x b\n", false},
		{"a\n…\nd\n", "a\nb\n", false},
	} {
		if got := matches(tt.want, tt.got); got != tt.ok {
			t.Errorf("matches(%q, %q) = %t", tt.want, tt.got, got)
		}
	}
}
