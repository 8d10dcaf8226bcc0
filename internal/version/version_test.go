package version

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestOf holds that no build is called (devel).
func TestOf(t *testing.T) {
	const sources = "v" + Number
	const commit = "v0.0.0-20260101-0123456789ab"
	is := func(version string) *debug.Module {
		return &debug.Module{Path: module, Version: version}
	}
	replaced := is("v1.0.0")
	replaced.Replace = &debug.Module{Path: "/home/lastbit"}
	for _, c := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{}, sources},
		{debug.BuildInfo{Main: *is("(devel)")}, sources},
		{debug.BuildInfo{Main: *is("v1.2.3")}, "v1.2.3"},
		{debug.BuildInfo{Main: *is(commit)}, commit},
		{debug.BuildInfo{Deps: []*debug.Module{is("v1.1.0")}}, "v1.1.0"},
		{debug.BuildInfo{Deps: []*debug.Module{replaced}}, sources},
	} {
		if got := of(&c.info); got != c.want {
			t.Errorf("%+v is %s, want %s", c.info, got, c.want)
		}
	}
	if v := Built(); !strings.HasPrefix(v, "v") {
		t.Error(v)
	}
}
