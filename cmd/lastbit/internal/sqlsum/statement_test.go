package sqlsum

import "testing"

func TestWithoutSemicolons(t *testing.T) {
	for s, want := range map[string]string{
		"SELECT 1":                          "SELECT 1",
		" SELECT 1 ;\n; ":                   "SELECT 1",
		"SELECT 1 -- all":                   "SELECT 1 -- all",
		"SELECT 1; -- all; of them":         "SELECT 1",
		"SELECT 1 ; -- all\n /* b; */ ;":    "SELECT 1",
		"SELECT 1 -- all\n;":                "SELECT 1",
		"SELECT 1 /* a */":                  "SELECT 1 /* a */",
		"SELECT ';' -- a":                   "SELECT ';' -- a",
		"SELECT ';--' AS \"a;--\"":          "SELECT ';--' AS \"a;--\"",
		"SELECT 'it''s; --' AS `; -- `; --": "SELECT 'it''s; --' AS `; -- `",
		"SELECT 1; SELECT 2; -- a":          "SELECT 1; SELECT 2",
		"SELECT '\\'; -- ' ;":               "SELECT '\\'; -- '",
		"SELECT $$; -- $$":                  "SELECT $$; -- $$",
		"SELECT 'a; -- b":                   "SELECT 'a; -- b",
		";":                                 "",
	} {
		if got := withoutSemicolons(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
