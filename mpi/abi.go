package mpi

import (
	"unsafe"

	"github.com/lastbit/lastbit/internal/dl"
)

// handle is MPI_Comm, MPI_Datatype, MPI_Op or MPI_Errhandler: a pointer in Open
// MPI, an int in MPICH. On little-endian processors, the only ones that
// internal/dl supports, an int can be read and written through a pointer to a
// handle whose upper half is zero.
type handle uintptr

// Constants that both mpi.h share.
const (
	threadSerialized = 2
	undefined        = -32766
	maxErrorString   = 512  // MPICH's, the larger one
	maxVersionString = 8192 // MPICH's, the larger one
)

// abi holds the values that an mpi.h defines.
type abi struct {
	world, errorsReturn handle
	inPlace             uintptr
	procNull            int32 // the rank of nobody
	datatypes           [kinds]handle
	ops                 [builtins]handle
	wide                bool // handles are pointers
}

// mpichABI is MPICH's mpi.h, unchanged since version 3.1, when its makers and
// the makers of Intel MPI, MVAPICH and others agreed to keep it.
func mpichABI() abi {
	return abi{
		world: 0x44000000, errorsReturn: 0x54000001, inPlace: ^uintptr(0), procNull: -1,
		datatypes: [kinds]handle{kindFloat64: 0x4c00080b, kindFloat32: 0x4c00040a,
			kindInt64: 0x4c00083a, kindByte: 0x4c00013b},
		ops: [builtins]handle{Sum: 0x58000003, Prod: 0x58000004, Max: 0x58000001,
			Min: 0x58000002},
	}
}

// openMPIABI is Open MPI's mpi.h, where a handle is the address of a variable.
func openMPIABI(l *dl.Library) (abi, error) {
	a := abi{inPlace: 1, procNull: -2, wide: true}
	for symbol, h := range map[string]*handle{
		"ompi_mpi_comm_world":    &a.world,
		"ompi_mpi_errors_return": &a.errorsReturn,
		"ompi_mpi_double":        &a.datatypes[kindFloat64],
		"ompi_mpi_float":         &a.datatypes[kindFloat32],
		"ompi_mpi_int64_t":       &a.datatypes[kindInt64],
		"ompi_mpi_uint8_t":       &a.datatypes[kindByte],
		"ompi_mpi_op_sum":        &a.ops[Sum],
		"ompi_mpi_op_prod":       &a.ops[Prod],
		"ompi_mpi_op_max":        &a.ops[Max],
		"ompi_mpi_op_min":        &a.ops[Min],
	} {
		addr, err := l.Addr(symbol)
		if err != nil {
			return a, err
		}
		*h = handle(addr)
	}
	return a, nil
}

// read returns a handle that MPI wrote: an int keeps its sign.
func (a *abi) read(h *handle) handle {
	if a.wide {
		return *h
	}
	return handle(int32(*h))
}

// status has room for an MPI_Status: 20 bytes in MPICH, 24 in Open MPI.
type status [8]int64

// functions are the functions of MPI used here, in C's types. An argument that
// is always MPI_IN_PLACE or null is not a pointer.
type functions struct {
	version     func(text *byte, n *int32) int32
	initialized func(flag *int32) int32
	initThread  func(argc, argv uintptr, required int32, provided *int32) int32
	finalize    func() int32
	abort       func(comm handle, code int32) int32
	errorString func(code int32, text *byte, n *int32) int32

	rank, size    func(comm handle, n *int32) int32
	setErrhandler func(comm, errhandler handle) int32
	split         func(comm handle, color, key int32, group *handle) int32
	commFree      func(comm *handle) int32

	barrier   func(comm handle) int32
	bcast     func(buf unsafe.Pointer, n int32, dtype handle, root int32, comm handle) int32
	allreduce func(inPlace uintptr, buf unsafe.Pointer, n int32, dtype, op, comm handle) int32
	reduce    func(send, receive unsafe.Pointer, n int32, dtype, op handle, root int32,
		comm handle) int32
	sendrecv func(send unsafe.Pointer, sent int32, sendType handle, to, sendTag int32,
		receive unsafe.Pointer, room int32, receiveType handle, from, receiveTag int32,
		comm handle, status *status) int32
	getCount func(status *status, dtype handle, n *int32) int32

	contiguous func(n int32, of handle, dtype *handle) int32
	typeCommit func(dtype *handle) int32
	typeFree   func(dtype *handle) int32
	opCreate   func(f uintptr, commutative int32, op *handle) int32
	opFree     func(op *handle) int32
}

// bind finds the functions in a library.
func (f *functions) bind(l *dl.Library) error {
	for _, b := range []struct {
		symbol string
		fptr   any
	}{
		{"MPI_Get_library_version", &f.version}, {"MPI_Initialized", &f.initialized},
		{"MPI_Init_thread", &f.initThread},
		{"MPI_Finalize", &f.finalize}, {"MPI_Abort", &f.abort},
		{"MPI_Error_string", &f.errorString},
		{"MPI_Comm_rank", &f.rank}, {"MPI_Comm_size", &f.size},
		{"MPI_Comm_set_errhandler", &f.setErrhandler},
		{"MPI_Comm_split", &f.split}, {"MPI_Comm_free", &f.commFree},
		{"MPI_Barrier", &f.barrier}, {"MPI_Bcast", &f.bcast}, {"MPI_Allreduce", &f.allreduce},
		{"MPI_Reduce", &f.reduce}, {"MPI_Sendrecv", &f.sendrecv}, {"MPI_Get_count", &f.getCount},
		{"MPI_Type_contiguous", &f.contiguous}, {"MPI_Type_commit", &f.typeCommit},
		{"MPI_Type_free", &f.typeFree},
		{"MPI_Op_create", &f.opCreate}, {"MPI_Op_free", &f.opFree},
	} {
		if err := l.Func(b.symbol, b.fptr); err != nil {
			return err
		}
	}
	return nil
}
