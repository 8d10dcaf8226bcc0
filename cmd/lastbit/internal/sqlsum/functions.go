package sqlsum

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
)

//go:embed functions/postgres.sql
var postgresFunctions string

//go:embed functions/duckdb.sql
var duckdbFunctions string

// Functions returns SQL that defines exact_sum.
func (d *Dialect) Functions() (string, error) {
	switch d.Name {
	case "postgres":
		return strings.ReplaceAll(postgresFunctions, "$UNIT", powerOfTwo(-1074)), nil
	case "duckdb":
		return duckdbFunctions, nil
	}
	return "", sums.BadUsage("--functions", "there are none for "+d.Title,
		"use --dialect postgres or duckdb, or a query")
}

// A File is a file of a package.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Package returns a dbt package that defines exact_sum at the start of a run.
func (d *Dialect) Package() ([]File, error) {
	functions, err := d.Functions()
	if err != nil {
		return nil, err
	}
	const project = `name: lastbit
version: 0.1.0
config-version: 2
require-dbt-version: [">=1.3.0", "<3.0.0"]
macro-paths: ["macros"]
# A package's own hook runs in every project that installs it.
on-run-start:
  - "{{ lastbit.create_exact_sum() }}"
`
	macro := fmt.Sprintf(`{#- Defines exact_sum in %s. -#}
{%% macro create_exact_sum() %%}
{%% if target.type != '%s' %%}
  {{ exceptions.raise_compiler_error("this package is for %s, and the target is " ~ target.type) }}
{%% endif %%}
{%% raw %%}
%s{%% endraw %%}
{%% endmacro %%}
`, d.Title, d.Name, d.Title, functions)
	readme := fmt.Sprintf(`# lastbit for dbt, %s

Put this folder into the project, and name it in packages.yml:

    packages:
      - local: lastbit

Models then have exact_sum(x):

    SELECT region, exact_sum(price) AS price FROM {{ ref('trades') }} GROUP BY region
`, d.Title)
	return []File{{"dbt_project.yml", project}, {"macros/exact_sum.sql", macro},
		{"README.md", readme}}, nil
}
