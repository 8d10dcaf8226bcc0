package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

const (
	maxBlocks = 8  // blocks that are searched backwards for a store
	maxParts  = 16 // parts of a structure, and elements of an array
	maxDepth  = 3  // structures in structures
)

// load returns what is known of the number, or of the structure of numbers, of
// a type that is a part of the variable at an address, before an instruction.
// The compiler's optimizer replaces loads by the values that were stored.
func (f *frame) load(
	address ssa.Value, path []step, t types.Type, at ssa.Instruction, steps int,
) *Value {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if len(path) >= maxDepth || u.NumFields() > maxParts {
			return unknown
		}
		v := &Value{Kind: Struct}
		for i := range u.NumFields() {
			part := append(path[:len(path):len(path)], step{index: i})
			v.Parts = append(v.Parts, f.load(address, part, u.Field(i).Type(), at, steps))
		}
		return v
	case *types.Array:
		if len(path) >= maxDepth || u.Len() > maxParts || !floats.Contains(u.Elem()) {
			return unknown
		}
		v := &Value{Kind: Struct}
		for i := range int(u.Len()) {
			part := append(path[:len(path):len(path)], step{index: i, array: true})
			v.Parts = append(v.Parts, f.load(address, part, u.Elem(), at, steps))
		}
		return v
	}
	if !floats.IsSummand(t) {
		return unknown
	}
	root, before := f.access(address)
	return f.stored(root, append(before, path...), at, steps)
}

// A step leads from a structure to a field, or from an array to an element.
type step struct {
	index int
	array bool
	by    ssa.Value // an index that is not constant
}

// access returns the variable that an address is in, and the steps to the part.
// An inlined function that returns one of its pointers returns the variable of
// its argument.
func (f *frame) access(address ssa.Value) (root ssa.Value, path []step) {
	switch a := address.(type) {
	case *ssa.FieldAddr:
		root, path = f.access(a.X)
		return root, append(path, step{index: a.Field})
	case *ssa.IndexAddr:
		root, path = f.access(a.X)
		if i, ok := constantIndex(a.Index); ok {
			return root, append(path, step{index: i, array: true})
		}
		return root, append(path, step{array: true, by: a.Index})
	case *ssa.Call:
		if s := f.summary(callee(a)); s != nil && s.Result.isParameter() {
			if x := argument(a, s.Result.Index); x != nil {
				return f.access(x)
			}
		}
	}
	return address, nil
}

// A relation is one of two accesses.
type relation int

const (
	same relation = iota
	within
	apart
	perhaps // the same
)

// relate relates an access to a store. The store may write a structure around
// the accessed value.
func relate(root ssa.Value, path []step, to ssa.Value, stored []step) relation {
	if root != to {
		if isPrivate(root) || isPrivate(to) {
			return apart
		}
		return perhaps
	}
	for i, s := range stored {
		if i == len(path) {
			return perhaps
		}
		p := path[i]
		switch {
		case p == s:
		case p.by == nil && s.by == nil && p.array == s.array:
			return apart
		default:
			return perhaps
		}
	}
	if len(path) > len(stored) {
		return within
	}
	return same
}

// stored returns the value that was last stored in a part of a variable.
func (f *frame) stored(root ssa.Value, path []step, at ssa.Instruction, steps int) *Value {
	if s := onlyStore(root); s != nil && precedes(s, at) {
		return f.value(s.Val, steps-1).parts(indices(path))
	}
	private := isPrivate(root)
	if s := f.lastStore(root, path, at); private && s != nil {
		_, part := f.access(s.Addr)
		return f.value(s.Val, steps-1).parts(indices(path[len(part):]))
	}
	found := unknown
	ended := search(at, func(i ssa.Instruction) (done bool) {
		switch i := i.(type) {
		case *ssa.Store:
			to, part := f.access(i.Addr)
			switch relate(root, path, to, part) {
			case same, within:
				found = f.value(i.Val, steps-1).parts(indices(path[len(part):]))
				return true
			case apart:
				return false
			}
			return true
		case *ssa.Call:
			v, e := f.effect(i, root, path, steps)
			if found = unknown; e == stores {
				found = v
			}
			return e == stores || e == hides && !private
		case ssa.CallInstruction, *ssa.Send, *ssa.Select, *ssa.RunDefers:
			return !private
		}
		return false
	})
	if ended {
		return f.initial(root, path)
	}
	return found
}

// indices returns the constant indices of steps.
func indices(path []step) []int {
	all := make([]int, len(path))
	for i, s := range path {
		all[i] = s.index
		if s.by != nil {
			all[i] = maxParts
		}
	}
	return all
}

// initial returns the value of a variable when the function begins.
func (f *frame) initial(root ssa.Value, path []step) *Value {
	var v *Value
	switch root := root.(type) {
	case *ssa.Parameter:
		v = f.value(root, 1)
	case *ssa.FreeVar:
		v = f.value(root, 1)
	default:
		return unknown
	}
	for _, s := range path {
		if s.by != nil {
			return unknown
		}
	}
	w := *v
	w.Deref, w.Path = true, indices(path)
	return &w
}

// search calls look with the instructions before one, latest first, until it
// is done. It reports whether it reached the beginning of the function.
func search(at ssa.Instruction, look func(ssa.Instruction) (done bool)) (ended bool) {
	b := at.Block()
	i := len(b.Instrs)
	for k, instr := range b.Instrs {
		if instr == at {
			i = k
		}
	}
	for range maxBlocks {
		for i--; i >= 0; i-- {
			if look(b.Instrs[i]) {
				return false
			}
		}
		if len(b.Preds) != 1 {
			return len(b.Preds) == 0
		}
		b = b.Preds[0]
		i = len(b.Instrs)
	}
	return false
}

// isPrivate reports whether an address belongs to a local variable that is used
// only by loads and stores of it and its parts.
func isPrivate(address ssa.Value) bool {
	alloc, ok := address.(*ssa.Alloc)
	return ok && !escapes(alloc)
}

func escapes(v ssa.Value) bool {
	for _, user := range *v.Referrers() {
		switch u := user.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if u.Val == v {
				return true
			}
		case *ssa.FieldAddr:
			if escapes(u) {
				return true
			}
		case *ssa.IndexAddr:
			if escapes(u) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// lastStore returns the store in a part of a local variable that precedes an
// instruction and that all others precede, or nil. No other one runs between:
// a path from it to the instruction passes the last store.
func (f *frame) lastStore(root ssa.Value, path []step, at ssa.Instruction) *ssa.Store {
	alloc, ok := root.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var last *ssa.Store
	var all []*ssa.Store
	for _, s := range storesIn(alloc, nil) {
		to, part := f.access(s.Addr)
		switch relate(root, path, to, part) {
		case apart:
			continue
		case perhaps:
			return nil
		}
		if all = append(all, s); last == nil || precedes(last, s) {
			last = s
		}
	}
	if last == nil || !precedes(last, at) {
		return nil
	}
	for _, s := range all {
		if s != last && !precedes(s, last) {
			return nil
		}
	}
	return last
}

// storesIn appends the stores at an address and in parts of what is there.
func storesIn(address ssa.Value, all []*ssa.Store) []*ssa.Store {
	for _, user := range *address.Referrers() {
		switch u := user.(type) {
		case *ssa.Store:
			if u.Addr == address {
				all = append(all, u)
			}
		case *ssa.FieldAddr:
			all = storesIn(u, all)
		case *ssa.IndexAddr:
			all = storesIn(u, all)
		}
	}
	return all
}

// onlyStore returns the store of a local variable that is assigned once, and
// perhaps captured by closures that only load it, or nil.
func onlyStore(root ssa.Value) *ssa.Store {
	var only *ssa.Store
	if alloc, ok := root.(*ssa.Alloc); !ok || !isLoaded(alloc, &only) {
		return nil
	}
	return only
}

// isLoaded reports whether a variable is used by loads and at most one store.
func isLoaded(v ssa.Value, only **ssa.Store) bool {
	for _, user := range *v.Referrers() {
		switch u := user.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if u.Addr != v || u.Val == v || *only != nil {
				return false
			}
			*only = u
		case *ssa.MakeClosure:
			captured := u.Fn.(*ssa.Function).FreeVars
			for i, b := range u.Bindings {
				if b == v && !isLoaded(captured[i], only) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// precedes reports whether an instruction runs before another one of its
// function.
func precedes(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		for _, i := range a.Block().Instrs {
			if i == a || i == b {
				return i == a
			}
		}
	}
	return a.Parent() == b.Parent() && a.Block().Dominates(b.Block())
}
