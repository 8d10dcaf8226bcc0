package recording

import (
	"fmt"
	"path/filepath"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// plan collects steps.
type plan struct{ steps []Step }

// Plan returns the steps for a GPU: PyTorch's reductions, norms and products in
// three formats and several shapes, products with and without TF32, FP8, and
// programs in the folder of scripts: mma and wgmma. The most telling steps come
// first, and steps of one function follow each other.
func Plan(scripts string) []Step {
	p := &plan{}
	const functional = "py:torch.nn.functional."
	formats := []fp.Format{fp.Binary32, fp.Binary16, fp.BFloat16}
	p.products(formats, nil)
	for _, f := range formats {
		for _, n := range []int{1000, 4096} {
			p.add("sum", "py:torch.sum", "sum", probe.Spec{DType: f, N: n})
		}
		p.add("sum-rows", "py:torch.sum", "sum", probe.Spec{DType: f, N: 1024, Axis: "1", M: 8})
	}
	p.rows("sum-batch", "py:torch.sum", "sum", probe.Spec{DType: fp.Binary32, N: 1024, Axis: "1"})
	p.products([]fp.Format{fp.Binary32}, map[string]string{"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "1"})
	p.programs(scripts)
	p.compare()
	for _, f := range formats {
		p.add("mean", "py:torch.mean", "sum", probe.Spec{DType: f, N: 1000})
	}
	for _, f := range formats {
		p.add("cumsum", "py:torch.cumsum", "sum", probe.Spec{DType: f, N: 1000})
	}
	for _, f := range formats {
		p.add("softmax", functional+"softmax", "softmax", probe.Spec{DType: f, N: 1000})
	}
	for _, f := range formats {
		p.add("rms_norm", functional+"rms_norm", "rmsnorm", probe.Spec{DType: f, N: 1000})
	}
	p.add("layer_norm", functional+"layer_norm", "sum",
		probe.Spec{DType: fp.Binary32, N: 1000})
	p.rows("rms_norm-batch", functional+"rms_norm", "rmsnorm",
		probe.Spec{DType: fp.Binary32, N: 1024})
	return p.steps
}

// products adds PyTorch's matrix products, and their batch sizes.
func (p *plan) products(formats []fp.Format, env map[string]string) {
	tf32 := ""
	if env != nil {
		tf32 = "-tf32"
	}
	for _, name := range []string{"mm", "bmm", "nn.functional.linear"} {
		from := len(p.steps)
		address, short := "py:torch."+name, filepath.Ext("." + name)[1:]+tf32
		for _, f := range formats {
			for _, m := range []int{1, 16, 64} {
				spec := probe.Spec{DType: f, N: 512, M: m, Cols: 64}
				p.add(fmt.Sprint(short, "-m", m), address, "gemm", spec)
			}
		}
		p.rows(short+"-batch", address, "gemm", probe.Spec{DType: formats[0], N: 512, Cols: 512})
		for i := from; i < len(p.steps); i++ {
			p.steps[i].Env = env
		}
	}
}

// programs adds what lies in the folder of scripts: mma, wgmma, and FP8 by
// PyTorch.
func (p *plan) programs(scripts string) {
	for _, f := range []fp.Format{fp.Binary16, fp.BFloat16} {
		p.add("mma", "exec:"+filepath.Join(scripts, "mma"), "gemm",
			probe.Spec{DType: f, N: 64, M: 16, Cols: 16})
	}
	wgmma := "exec:" + filepath.Join(scripts, "wgmma")
	for _, f := range []fp.Format{fp.Binary16, fp.BFloat16, fp.Binary32} {
		p.add("wgmma", wgmma, "gemm", probe.Spec{DType: f, N: 64, M: 64, Cols: 8})
	}
	p.add("wgmma-e4m3", wgmma+" e4m3", "gemm",
		probe.Spec{DType: fp.BFloat16, N: 128, M: 64, Cols: 8})
	p.add("scaled_mm-fp8", "py:"+filepath.Join(scripts, "fp8.py")+":scaled_mm", "gemm",
		probe.Spec{DType: fp.BFloat16, N: 64, M: 16, Cols: 16})
}

// compare adds comparisons of products and of reductions.
func (p *plan) compare() {
	p.steps = append(p.steps, Step{Name: "compare-products", Op: "gemm",
		Addresses: []string{"py:torch.mm", "py:torch.bmm", "py:torch.nn.functional.linear"},
		Spec:      probe.Spec{DType: fp.Binary32, N: 256, M: 16, Cols: 16}})
	p.steps = append(p.steps, Step{Name: "compare-sums", Op: "sum",
		Addresses: []string{"py:torch.sum", "py:torch.cumsum"},
		Spec:      probe.Spec{DType: fp.Binary32, N: 1000}})
}

// add adds a finding.
func (p *plan) add(name, address, op string, s probe.Spec) {
	p.steps = append(p.steps, Step{Name: fmt.Sprintf("%s-%s-%d", name, s.DType, s.N), Op: op,
		Addresses: []string{address}, Spec: s})
}

// rows adds a sweep over the batch sizes 1 to 64.
func (p *plan) rows(name, address, op string, s probe.Spec) {
	step := Step{Name: fmt.Sprintf("%s-%s-%d", name, s.DType, s.N), Op: op,
		Addresses: []string{address}, Spec: s}
	for m := 1; m <= 64; m++ {
		step.Rows = append(step.Rows, m)
	}
	p.steps = append(p.steps, step)
}
