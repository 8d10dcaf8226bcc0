// Package sim makes targets of software models of matrix accelerators: the sums
// of products that the tensor cores and matrix cores of GPUs compute, and the
// matrix and dot product instructions of processors, as "sim:h100". The format
// out is binary32.
//
//	target, err := sim.Open(ctx, "h100", probe.Spec{N: 32})
//
// The results equal the hardware's, bit for bit, as far as publications
// describe it, and are the same bits on every machine. Package mma has the
// arithmetic, with its sources.
//
// Units that take scales are left out, and inputs of E2M1, whose range is too
// small to ask for an order.
package sim
