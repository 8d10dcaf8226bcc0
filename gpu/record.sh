#!/bin/sh
# Records how PyTorch and CUDA add on this machine; docs/develop/gpu.md describes it.
#
#     gpu/record.sh [folder]
#
# It needs the program gpurecord beside it, or Go and the rest of the
# repository; Python with PyTorch; and nvcc for the programs in CUDA, which are
# skipped without it. DEVICE=cpu rehearses it.
set -eu
out=${1:-${OUT:-recording}}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")"
if [ ! -x gpurecord ]; then
	(cd .. && CGO_ENABLED=0 go build -o gpu/gpurecord ./cmd/gpurecord)
fi
if [ ! -x mma ] && command -v nvcc >/dev/null; then
	timeout 90 nvcc -O2 -arch=native -o mma mma.cu || echo "mma.cu was not compiled" >&2
fi
if [ ! -x wgmma ] && command -v nvcc >/dev/null &&
	[ "$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)" = 9.0 ]; then
	timeout 90 nvcc -O2 -gencode arch=compute_90a,code=sm_90a -o wgmma wgmma.cu ||
		echo "wgmma.cu was not compiled" >&2
fi
exec timeout 590 ./gpurecord -device "${DEVICE:-cuda}" -out "$out" -budget "${BUDGET:-8m}"
