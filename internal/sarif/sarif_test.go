package sarif_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/lastbit/lastbit/internal/sarif"
)

// TestWrite compares a log with the object that SARIF 2.1.0 describes.
func TestWrite(t *testing.T) {
	log := sarif.Log{
		Tool: "lastbit", Version: "v1",
		Rules: []sarif.Rule{{ID: "a", Short: "Short.", Full: "Long."}, {ID: "b"}},
		Results: []sarif.Result{
			{Rule: "b", Level: "error", Message: "x < y", File: "a/b.go", Line: 3, Column: 2,
				Key: "k"},
			{Rule: "a", Level: "note", Message: "whole", File: "./a b#c%"},
			{Rule: "c", Level: "note", Message: "nowhere"},
		},
	}
	var b bytes.Buffer
	if err := log.Write(&b); err != nil {
		t.Fatal(err)
	}
	const want = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0",
		"runs":[{"columnKind":"unicodeCodePoints",
			"tool":{"driver":{"name":"lastbit","version":"v1","rules":[
			{"id":"a","shortDescription":{"text":"Short."},
				"fullDescription":{"text":"Long."}},
			{"id":"b","shortDescription":{"text":""}}]}},
		"results":[
			{"ruleId":"b","ruleIndex":1,"level":"error","message":{"text":"x < y"},
				"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a/b.go"},
				"region":{"startLine":3,"startColumn":2}}}],
				"partialFingerprints":{"lastbit/v1":"k"}},
			{"ruleId":"a","ruleIndex":0,"level":"note","message":{"text":"whole"},
				"locations":[{"physicalLocation":{"artifactLocation":{"uri":"./a%20b%23c%25"}}}]},
			{"ruleId":"c","ruleIndex":-1,"level":"note","message":{"text":"nowhere"}}]}]}`
	var got, expected any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("%s", b.String())
	}
}
