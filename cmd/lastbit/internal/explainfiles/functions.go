package explainfiles

import (
	"context"
	"fmt"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
)

// FunctionNames returns the names of the elementary functions.
func FunctionNames() []string {
	var names []string
	for _, f := range libm.Functions[float64]() {
		if f.Results == 1 {
			names = append(names, f.Name)
		}
	}
	return names
}

// IsBinary reports whether a function has two arguments.
func IsBinary(name string) bool {
	f := functionOf[float64](name)
	return f != nil && f.Binary
}

// functionOf returns the function of that name, nil for none.
func functionOf[T libm.Float](name string) *libm.Function[T] {
	for _, f := range libm.Functions[T]() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// function explains the results of an elementary function.
func (q *Question) function(
	ctx context.Context, inputs, results []explain.Array,
) (*explain.Explanation, error) {
	var y explain.Array
	if len(inputs) > 1 {
		y = inputs[1]
	}
	x, a, b := inputs[0], results[0], results[1]
	if y.Format != 0 && y.Format != x.Format || a.Format != b.Format {
		return nil, &explain.Error{Cause: "the arguments, or the results, are of different formats",
			Cure: "give both in the format that the function takes"}
	}
	var list []explain.Function
	if x.Format == fp.Binary64 {
		list = append(native[float64](q), pythons[float64](q)...)
	} else { // 16-bit formats are computed in binary32
		list = append(native[float32](q), pythons[float32](q)...)
	}
	if x.Format.Precision() < fp.Binary32.Precision() {
		list[0] = correct[float64](q.Op) // which is not rounded to binary32 in between
		for i := range list[1:] {
			list[i+1].Wide = true
		}
	}
	list[0].Deviation = functionOf[float64](q.Op).Deviation
	return explain.ExplainFunction(ctx, x, y, a, b, list)
}

// native returns the implementations of a function that this process calls, the
// correctly rounded one first.
func native[T libm.Float](q *Question) []explain.Function {
	single := libm.FormatOf[T]() == fp.Binary32
	list := []explain.Function{correct[T](q.Op)}
	var libraries []libm.Library[T]
	if c, err := libm.C[T](); err == nil && q.Python != nil {
		libraries = append(libraries, c)
	}
	libraries = append(libraries, libm.Go[T]())
	for _, lib := range libraries {
		loop, err := lib.Find(functionOf[T](q.Op))
		if err == nil && loop != nil {
			list = append(list, explain.Function{Name: lib.Version, Evaluate: evaluator(loop),
				Wide: single && lib.Name == "go"})
		}
	}
	if single && q.Python != nil {
		list = append(list, wideFunctions(q.Op)...)
	}
	return list
}

// correct returns the correctly rounded function.
func correct[T libm.Float](op string) explain.Function {
	lib := libm.Crmath[T]()
	loop, _ := lib.Find(functionOf[T](op)) // crmath has all functions
	return explain.Function{Name: lib.Version, Exact: true, Evaluate: evaluator(loop)}
}

// pythons returns the implementations of a function that Python calls.
func pythons[T libm.Float](q *Question) []explain.Function {
	f := functionOf[T](q.Op)
	if q.Python == nil {
		return nil
	}
	list := []explain.Function{numpy(q.Python, f)}
	if !f.Binary {
		list = append(list, torch[T](q.Python, f.Name))
	}
	return list
}

// numpy returns NumPy's function, which fails where there is none.
func numpy[T libm.Float](run libm.Python, f *libm.Function[T]) explain.Function {
	return explain.Function{Name: "NumPy", Slow: true, Evaluate: func(
		ctx context.Context, out, x, y []float64,
	) error {
		np, err := libm.NumPy[T](ctx, run)
		if err != nil {
			return err
		}
		loop, err := np.Find(f)
		if err != nil {
			return err
		}
		if loop == nil {
			return fmt.Errorf("NumPy has no %s", f.Name)
		}
		return evaluator(loop)(ctx, out, x, y)
	}}
}

// evaluator calls a loop for float64, which hold the values of T.
func evaluator[T libm.Float](loop libm.Loop[T]) func(context.Context, []float64, []float64,
	[]float64) error {
	return func(_ context.Context, out, x, y []float64) error {
		got := make([]T, len(out))
		var second []T
		if len(y) > 0 {
			second = converted[T](y)
		}
		if err := loop(got, converted[T](x), second); err != nil {
			return err
		}
		for i, v := range got {
			out[i] = float64(v)
		}
		return nil
	}
}

func converted[T libm.Float](v []float64) []T {
	out := make([]T, len(v))
	for i, x := range v {
		out[i] = T(x)
	}
	return out
}

// wideFunctions returns the C library's function of float64, whose results a
// program rounds to float32.
func wideFunctions(op string) []explain.Function {
	c, err := libm.C[float64]()
	if err != nil {
		return nil
	}
	loop, err := c.Find(functionOf[float64](op))
	if err != nil || loop == nil {
		return nil
	}
	return []explain.Function{{Name: c.Version + ", rounded from f64", Wide: true,
		Evaluate: evaluator(loop)}}
}

// torchCode evaluates a function of PyTorch. Its arguments are the type, the
// files and the function.
const torchCode = `
import sys, numpy as np, torch
dtype, source, target, name = sys.argv[1:5]
x = torch.from_numpy(np.fromfile(source, dtype))
getattr(torch, name)(x).numpy().astype(dtype).tofile(target)
`

// torch returns PyTorch's function, which fails where there is none.
func torch[T libm.Float](run libm.Python, name string) explain.Function {
	dtype := "<f8"
	if libm.FormatOf[T]() == fp.Binary32 {
		dtype = "<f4"
	}
	return explain.Function{Name: "PyTorch", Slow: true, Evaluate: func(
		ctx context.Context, out, x, _ []float64,
	) error {
		got, err := throughFiles(converted[T](x), func(source, target string) error {
			_, err := run(ctx, "torch", torchCode, dtype, source, target, name)
			return err
		})
		if err != nil {
			return err
		}
		if len(got) != len(out) {
			return fmt.Errorf("PyTorch gave %d results instead of %d", len(got), len(out))
		}
		for i, v := range got {
			out[i] = float64(v)
		}
		return nil
	}}
}
