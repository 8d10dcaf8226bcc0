package python

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// isCallable reports whether an address has the form of a callable: a module or
// a file and a name in it, or a wrapper and a callable in parentheses.
func isCallable(address string) bool {
	return strings.ContainsAny(address, ":(") || isFile(address)
}

// isFile reports whether what comes before the colon of an address is a file.
func isFile(where string) bool {
	return strings.ContainsAny(where, `/\`) || strings.HasSuffix(where, ".py")
}

// dotted matches the name of a module, or an attribute of an attribute.
var dotted = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)

// wrapped matches a wrapper and what it wraps.
var wrapped = regexp.MustCompile(`^([\pL\pN_.]+(?::[\pL\pN_.]+)?)\((.*)\)$`)

// callable returns the function of an address such as "module:function",
// "/path/file.py:object.method" or "jax.jit(module:function)". The error is the
// *probe.Fault bad-address.
func callable(address string) (*function, error) {
	where, err := place(address, false)
	if err != nil {
		return nil, err
	}
	return ownFunction(where, address), nil
}

// ownFunction returns the function of a callable in a place.
func ownFunction(where, address string) *function {
	ops := append(slices.Clone(anything), squares...)
	return &function{module: where, name: address, ops: ops, dtypes: all, own: true}
}

// place returns the module or file of a callable; it has to be a name in the
// built-in manner, without a colon, only where bare is set.
func place(address string, bare bool) (string, error) {
	if m := wrapped.FindStringSubmatch(address); m != nil {
		if _, err := place(m[1], true); err != nil {
			return "", err
		}
		return place(m[2], true)
	}
	if bare && dotted.MatchString(address) && strings.Contains(address, ".") {
		module, _, _ := strings.Cut(address, ".")
		return module, nil
	}
	colon := strings.LastIndexByte(address, ':')
	where, name := address[:max(colon, 0)], address[colon+1:]
	bad := func(cause, cure string) (string, error) {
		return "", &probe.Fault{ID: "bad-address", Thing: fmt.Sprintf("target %q", prefix+address),
			Cause: cause, Cure: cure}
	}
	switch {
	case colon < 0 && isFile(address):
		return bad("it names a file, and no function in it", "write py:"+address+":function")
	case !dotted.MatchString(name):
		return bad("what follows its last colon is not the name of a callable",
			"write py:module:function or py:/path/file.py:function")
	case !isFile(where) && !dotted.MatchString(where):
		return bad("it names neither a module nor a file",
			"write py:module:function or py:/path/file.py:function")
	}
	return where, nil
}

// faultOf returns the Fault of an error that the worker reports of a callable;
// nil for other errors.
func (f *function) faultOf(text string) *probe.Fault {
	kind, cause, _ := strings.Cut(text, ": ")
	fault := func(id, cure string) *probe.Fault {
		return &probe.Fault{ID: id, Thing: f.address(), Cause: cause, Cure: cure}
	}
	switch kind {
	case "import":
		if strings.HasPrefix(cause, "there is no file") {
			return fault("callable-import", "check the path")
		}
		return fault("callable-import", "import it by hand to see all of the error")
	case "attribute":
		return fault("callable-missing", "write one that it has after the colon")
	case "raised":
		if strings.Contains(cause, "missing 1 required positional argument") {
			return fault("callable-raised", "give it two operands with --op dot, gemv or gemm, "+
				"or let it take one")
		}
		return fault("callable-raised",
			"call it by hand with such operands, or choose others with --op")
	case "result":
		return fault("callable-result", "let it return one floating-point number for a sum or a "+
			"dot, an array of one for each row for a gemv, the matrix for a gemm")
	case "changed":
		return fault("callable-changes", "let it work on a copy")
	case "slow":
		return fault("worker-timeout", "give it more time with --timeout, or fewer values with -n")
	}
	return nil
}
