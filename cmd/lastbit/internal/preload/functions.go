package preload

import "strings"

// callers lists, for routines of LAPACK without the letter of their format,
// functions of scipy.linalg and numpy.linalg that call them.
var callers = map[string]string{
	"gbsv":  "solve_banded",
	"gebal": "matrix_balance, expm",
	"gees":  "schur, sqrtm, logm, funm",
	"geev":  "eig, eigvals, roots",
	"gehrd": "hessenberg",
	"gelsd": "lstsq",
	"gelss": "lstsq",
	"gelsy": "lstsq",
	"geqp3": "qr",
	"gerqf": "rq",
	"gesdd": "svd, pinv, orth, null_space",
	"gesv":  "solve",
	"gesvd": "svd",
	"getri": "inv",
	"getrs": "lu_solve, solve",
	"gges":  "qz, ordqz",
	"ggev":  "eig",
	"gtsv":  "solve_banded",
	"heev":  "eigh",
	"heevd": "eigh",
	"heevr": "eigh, pinvh",
	"heevx": "eigh",
	"hegv":  "eigh",
	"hegvd": "eigh",
	"hegvx": "eigh",
	"hesv":  "solve",
	"hetrf": "ldl",
	"orcsd": "cossin",
	"orghr": "hessenberg",
	"orgrq": "rq",
	"ormqr": "qr_multiply",
	"pbsv":  "solveh_banded",
	"potri": "inv",
	"potrs": "cho_solve, solve",
	"ptsv":  "solveh_banded",
	"sbevd": "eig_banded",
	"sbevx": "eig_banded",
	"stebz": "eigh_tridiagonal",
	"stein": "eigh_tridiagonal",
	"stemr": "eigh_tridiagonal",
	"syev":  "eigh",
	"syevd": "eigh",
	"syevr": "eigh, pinvh",
	"syevx": "eigh",
	"sygv":  "eigh",
	"sygvd": "eigh",
	"sygvx": "eigh",
	"sysv":  "solve",
	"sytrf": "ldl, solve",
	"tgsen": "ordqz",
	"trsyl": "solve_sylvester, sqrtm",
	"trtri": "inv",
	"trtrs": "solve_triangular",
	"uncsd": "cossin",
	"unghr": "hessenberg",
	"ungrq": "rq",
	"unmqr": "qr_multiply",
}

// functionsOf returns the functions that call a routine, as far as they are
// known.
func functionsOf(routine string) []string {
	if routine == "" || callers[routine[1:]] == "" {
		return []string{}
	}
	return strings.Split(callers[routine[1:]], ", ")
}
