package main

import (
	"go/ast"
	"strings"
)

// passage is a statement of a function, by the text that it begins with, and
// the text that takes its place, which may be none. Its results have the same
// bits, sooner, except where a comment says otherwise.
type passage struct {
	begin, text string
	imports     string // a package that the text uses
}

// unscaled is the condition of Dlartg for numbers that need no scaling.
const unscaled = "if rtmin < f1 && f1 < rtmax && rtmin < g1 && g1 < rtmax {"

// rotateColumns is the begin of the rotations of Dsteqr.
const rotateColumns = "impl.Dlasr(blas.Right, lapack.Variable, lapack."

// oneByOne is the choice between blocks and single reflections.
var oneByOne = passage{
	begin: "nbmin := 2", text: "nbmin := 2\nif isOneByOne(left, nw, k) {\nnb = 1\n}",
}

// passages are those of each function.
var passages = map[string][]passage{
	// The sign need not wait for the root: it changes no rounding.
	"Dlartg": {{begin: unscaled, text: unscaled + `
		d := math.Sqrt(float64(f*f) + float64(g*g))
		sign := math.Copysign(1, f)
		return f1 / d, float64(sign*g) / d, float64(sign * d)
	}`}},

	// The columns that Dsteqr rotates are rows for a kernel.
	"Dsteqr": {
		{begin: "bi := blas64.Implementation()"},
		{begin: "const maxit = 30", text: "const maxit = 30\n" +
			"v := impl.eigenvectors(icompz > 0, n, z, ldz)\ndefer v.restore()"},
		{begin: "bi.Dswap(n, z[i:], ldz, z[k:], ldz)", text: "v.swap(i, k)"},
		{
			begin: rotateColumns + "Backward,\n\t\t\t\t\t\t\tn, 2,",
			text:  "v.rotate(lapack.Backward, l, 2, work[l:], work[n-1+l:])",
		},
		{
			begin: rotateColumns + "Backward,\n\t\t\t\t\t\tn, mm,",
			text:  "v.rotate(lapack.Backward, l, mm, work[l:], work[n-1+l:])",
		},
		{
			begin: rotateColumns + "Forward,\n\t\t\t\t\t\t\tn, 2,",
			text:  "v.rotate(lapack.Forward, l-1, 2, work[m:], work[n-1+m:])",
		},
		{
			begin: rotateColumns + "Forward,\n\t\t\t\t\t\tn, mm,",
			text:  "v.rotate(lapack.Forward, m, mm, work[m:], work[n-1+m:])",
		},
	},

	// Reflections of few vectors take less time one by one. They round
	// otherwise.
	"Dormqr": {oneByOne},
	"Dormlq": {oneByOne},

	// Small inverses by rows, for a kernel. They round otherwise.
	"Dgetri": {{
		begin: "for j := n - 1; j >= 0; j-- {", text: "impl.solveUnit(n, a, lda, work)",
	}},
	"Dtrti2": {
		{begin: "bi := blas64.Implementation()"},
		{begin: "nonUnit := diag == blas.NonUnit"},
		{begin: "if uplo == blas.Upper {", text: "impl.trti2(uplo, diag, n, a, lda)"},
		{begin: "for j := n - 1; j >= 0; j-- {"},
	},

	// Reducing blocks pays for larger orders than elsewhere: a kernel reduces a
	// column. It rounds otherwise.
	"Dsytrd": {{
		begin: "nx = max(nb, impl.Ilaenv(3, \"DSYTRD\",", text: "nx = max(nb, columnsOnly)",
	}},

	// Multiple shifts pay for larger orders, too. Where double ones fail, the
	// first rows are left to them: unconverged is their number.
	"Dhseqr": {
		{begin: "nmin := impl.Ilaenv(12, \"DHSEQR\",", text: "nmin := doubleShifts"},
		{begin: "kbot := unconverged", text: "kbot := unconverged - 1"},
		{
			begin: "unconverged = impl.Dlaqr04(wantt, wantz, n, ilo, kbot,",
			text: "unconverged = impl.Dlaqr04(wantt, wantz, n, ilo, kbot, h, ldh,\n" +
				"wr[:kbot+1], wi[:kbot+1], ilo, ihi, z, ldz, work, lwork, 1)",
		},
		{
			begin: "unconverged = impl.Dlaqr04(wantt, wantz, nl, ilo, kbot,",
			text: "zl, ldzl := z, ldz\n" +
				"if wantz {\n" +
				"zl, ldzl = make([]float64, nl*nl), nl\n" +
				"impl.Dlacpy(blas.All, n, n, z, ldz, zl, ldzl)\n}\n" +
				"unconverged = impl.Dlaqr04(wantt, wantz, nl, ilo, kbot, hl[:], nl,\n" +
				"wr[:kbot+1], wi[:kbot+1], ilo, ihi, zl, ldzl, workl[:], nl, 1)\n" +
				"if wantz {\n" +
				"impl.Dlacpy(blas.All, n, n, zl, ldzl, z, ldz)\n}",
		},
	},

	// A NaN lets the loops run without end, and they look for it too late.
	"Dgebal": {{
		begin: "s := c + r",
		text:  "s := c + r\nif math.IsNaN(s) {\npanic(\"lapack: NaN\")\n}",
	}},

	// A matrix of one element has no row below the first.
	"Dgesvd": {belowFirst("a"), belowFirst("a"), belowFirst("vt"), belowFirst("a")},

	// Neighbouring elements of a column are 1 apart, not n.
	"Dsterf": {
		scaling("anorm, ssfmax, lend-l+1, 1, d[l:]"),
		scaling("anorm, ssfmax, lend-l, 1, e[l:]"),
		scaling("anorm, ssfmin, lend-l+1, 1, d[l:]"),
		scaling("anorm, ssfmin, lend-l, 1, e[l:]"),
		scaling("ssfmax, anorm, lendsv-lsv+1, 1, d[lsv:]"),
		scaling("ssfmin, anorm, lendsv-lsv+1, 1, d[lsv:]"),
	},

	// One kernel takes the place of four calls.
	"Dsytd2": {
		{begin: "bi := blas64.Implementation()"},
		{begin: "bi.Dsymv(uplo, i+1,"},
		{begin: "alpha := -0.5 * taui * bi.Ddot(i+1,"},
		{begin: "bi.Daxpy(i+1,"},
		{
			begin: "bi.Dsyr2(uplo, i+1,",
			text:  "impl.reflectSymmetric(uplo, i+1, taui, a[i+1:], a, lda, tau)",
		},
		{begin: "bi.Dsymv(uplo, n-i-1,"},
		{begin: "alpha := -0.5 * taui * bi.Ddot(n-i-1,"},
		{begin: "bi.Daxpy(n-i-1,"},
		{
			begin: "bi.Dsyr2(uplo, n-i-1,",
			text: "impl.reflectSymmetric(uplo, n-i-1, taui, a[(i+1)*lda+i:], " +
				"a[(i+1)*lda+i+1:], lda, tau[i:])",
		},
	},

	// So does another of one.
	"Dlatrd": {
		{
			begin: "bi.Dsymv(blas.Upper, i, 1, a, lda,",
			text:  "impl.symmetricTimes(blas.Upper, i, a, lda, a[i:], w[iw:], ldw)",
		},
		{
			begin: "bi.Dsymv(blas.Lower, n-i-1, 1,",
			text: "impl.symmetricTimes(blas.Lower, n-i-1, a[(i+1)*lda+i+1:], lda, " +
				"a[(i+1)*lda+i:],\nw[(i+1)*ldw+i:], ldw)",
		},
	},

	"Dlaset": {{
		begin: "for i := 0; i < m; i++ {\n\t\t\tfor j := 0; j < n; j++ {",
		text:  "fillRows(m, n, alpha, a, lda)",
	}},

	// The reflections of Dlahqr are of two or three elements.
	"Dlahqr": {
		{
			begin: "bi := blas64.Implementation()",
			text:  "bi, kernels := impl.blas(), impl.kernels()",
		},
		{
			begin: "bi.Dcopy(nr, h[k*ldh+k-1:], ldh, v[:], 1)",
			text:  "for p := range v[:nr] {\nv[p] = h[(k+p)*ldh+k-1]\n}",
		},
		{
			begin:   "v[0], t0 = impl.Dlarfg(",
			text:    "v[0], t0 = impl.larfgOf(nr, &v)",
			imports: kernelPath,
		},
		{begin: "t2 := t0 * v[2]", text: "g := reflector{kernels, " +
			"kernel.Reflector{v[1], v[2], t0, t1, float64(t0 * v[2])}}"},
		{begin: leftLoop + " + v[2]", text: "g.rows(i2-k+1, h[k*ldh+k:], ldh)"},
		{
			begin: "for j := i1; j <= min(k+3, i); j++ {",
			text:  "g.columns(min(k+3, i)-i1+1, h[i1*ldh+k:], ldh)",
		},
		{begin: vectorLoop + " + v[2]", text: "g.columns(nz, z[iloz*ldz+k:], ldz)"},
		{begin: leftLoop + "\n", text: "g := reflectorOfTwo{v[1], t0, t1}\n" +
			"g.rows(i2-k+1, h[k*ldh+k:], ldh)"},
		{
			begin: "for j := i1; j <= i; j++ {",
			text:  "g.columns(i-i1+1, h[i1*ldh+k:], ldh)",
		},
		{begin: vectorLoop + "\n", text: "g.columns(nz, z[iloz*ldz+k:], ldz)"},
	},
}

// How loops of Dlahqr begin.
const (
	leftLoop = "for j := k; j <= i2; j++ {\n" +
		"\t\t\t\t\t\tsum := h[k*ldh+j] + v[1]*h[(k+1)*ldh+j]"
	vectorLoop = "for j := iloz; j <= ihiz; j++ {\n" +
		"\t\t\t\t\t\t\tsum := z[j*ldz+k] + v[1]*z[j*ldz+k+1]"
)

// passage replaces a statement, if it is a passage of the function.
func (r *rewriter) passage(s ast.Stmt) bool {
	text := string(r.text[r.offset(s.Pos()):r.offset(s.End())])
	for i, p := range r.passages {
		if strings.HasPrefix(text, p.begin) {
			r.replace(s, p.text)
			if p.imports != "" {
				r.imports[p.imports] = true
			}
			r.passages = append(r.passages[:i], r.passages[i+1:]...)
			return true
		}
	}
	return false
}

// requirePassages fails if a passage of a function is not there.
func (r *rewriter) requirePassages(f *ast.FuncDecl) {
	for _, p := range r.passages {
		r.fail(f, "a function without "+p.begin)
	}
}

// scaling is that of a column by Dlascl, with a distance of 1 for n.
func scaling(arguments string) passage {
	call := "impl.Dlascl(lapack.General, 0, 0, " + arguments
	return passage{begin: call + ", n)", text: call + ", 1)"}
}

// belowFirst is the clearing of a triangle below the first row.
func belowFirst(matrix string) passage {
	ld := "ld" + matrix
	call := "impl.Dlaset(blas.Lower, n-1, n-1, 0, 0, " + matrix + "[" + ld + ":], " + ld + ")"
	return passage{begin: call, text: "if n > 1 {\n" + call + "\n}"}
}
