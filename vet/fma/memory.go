package fma

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// maxBlocks bounds the blocks that are searched backwards for a store.
const maxBlocks = 8

// stored returns the value that was last stored at an address before an
// instruction, or nil where that is not certain. The compiler's optimizer
// replaces such loads by the value.
func stored(address ssa.Value, at ssa.Instruction) ssa.Value {
	return search(at, func(i ssa.Instruction) (ssa.Value, bool) {
		switch i := i.(type) {
		case *ssa.Store:
			if isSame(i.Addr, address) {
				return i.Val, true
			}
			if f, ok := address.(*ssa.FieldAddr); ok && isSame(i.Addr, f.X) {
				return field(i.Val, f.Field), true
			}
			if e, ok := address.(*ssa.IndexAddr); ok && isSame(i.Addr, e.X) {
				return element(i.Val, e.Index), true
			}
			return nil, !isApart(i.Addr, address)
		}
		return nil, hidesStores(i, address)
	})
}

// storedField does the same for a field of the structure at an address.
func storedField(address ssa.Value, index int, at ssa.Instruction) ssa.Value {
	return search(at, func(i ssa.Instruction) (ssa.Value, bool) {
		store, ok := i.(*ssa.Store)
		if !ok {
			return nil, hidesStores(i, address)
		}
		if f, ok := store.Addr.(*ssa.FieldAddr); ok && isSame(f.X, address) {
			return store.Val, f.Field == index
		}
		if isSame(store.Addr, address) {
			return field(store.Val, index), true
		}
		return nil, !isApart(store.Addr, address)
	})
}

// field returns a field of a structure that was loaded, or nil.
func field(v ssa.Value, index int) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	return storedField(load.X, index, load)
}

// element returns an element of an array that was loaded, or nil.
func element(v, index ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	return stored(&ssa.IndexAddr{X: load.X, Index: index}, load)
}

// search calls look with the instructions before one, latest first, until it
// is done.
func search(
	at ssa.Instruction, look func(ssa.Instruction) (v ssa.Value, done bool),
) ssa.Value {
	b := at.Block()
	i := len(b.Instrs)
	for k, instr := range b.Instrs {
		if instr == at {
			i = k
		}
	}
	for range maxBlocks {
		for i--; i >= 0; i-- {
			if v, done := look(b.Instrs[i]); done {
				return v
			}
		}
		if len(b.Preds) != 1 {
			return nil
		}
		b = b.Preds[0]
		i = len(b.Instrs)
	}
	return nil
}

// hidesStores reports whether an instruction may write at an address out of
// sight.
func hidesStores(i ssa.Instruction, address ssa.Value) bool {
	switch i.(type) {
	case ssa.CallInstruction, *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return !isPrivate(root(address))
	}
	return false
}

// isSame reports whether two addresses are the same.
func isSame(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && isSame(a.X, b.X)
	case *ssa.IndexAddr:
		b, ok := b.(*ssa.IndexAddr)
		return ok && isSame(a.X, b.X) && isSameIndex(a.Index, b.Index)
	}
	return false
}

func isSameIndex(a, b ssa.Value) bool {
	x, ok1 := a.(*ssa.Const)
	y, ok2 := b.(*ssa.Const)
	if ok1 && ok2 {
		return constant.Compare(x.Value, token.EQL, y.Value)
	}
	return a == b
}

// isApart reports whether two addresses are certainly different places.
func isApart(a, b ssa.Value) bool {
	x, ok1 := a.(*ssa.FieldAddr)
	y, ok2 := b.(*ssa.FieldAddr)
	if ok1 && ok2 && isSame(x.X, y.X) {
		return x.Field != y.Field
	}
	if i, ok := a.(*ssa.IndexAddr); ok {
		if j, ok := b.(*ssa.IndexAddr); ok && isSame(i.X, j.X) {
			m, ok1 := i.Index.(*ssa.Const)
			n, ok2 := j.Index.(*ssa.Const)
			return ok1 && ok2 && !constant.Compare(m.Value, token.EQL, n.Value)
		}
	}
	r, s := root(a), root(b)
	return r != s && (isPrivate(r) || isPrivate(s))
}

// root returns the variable that an address lies in.
func root(address ssa.Value) ssa.Value {
	for {
		switch a := address.(type) {
		case *ssa.FieldAddr:
			address = a.X
		case *ssa.IndexAddr:
			address = a.X
		default:
			return address
		}
	}
}

// isPrivate reports whether an address is that of a local variable that only
// loads and stores of it and its parts see.
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
