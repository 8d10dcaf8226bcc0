#!/usr/bin/env bash
# Writes docs/reference/gallery.md and its pictures: the orders of libraries on this machine.
set -euo pipefail
cd "$(dirname "$0")/../../.."
bin=$(mktemp -d)/lastbit
go build -o "$bin" ./cmd/lastbit
out=docs/reference/gallery.md
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
{
  echo "# Gallery"
  echo
  echo "One machine printed the examples on this page: ${cpu:-unknown CPU}, with the versions in each *key*."
  echo "\`docs/reference/gallery/make.sh\` writes this page."
  echo "Every tree here is verified: the certificate held, and replaying tree and arithmetic gave the library's own bits."
  echo "Orders change with library, version, CPU, shape and threads; run the commands to see yours."
} > "$out"

entry() { # title, file, then the arguments of lastbit reveal
  local title=$1 file=$2
  shift 2
  "$bin" reveal "$@" --format svg -o "docs/reference/gallery/$file.svg"
  {
    echo
    echo "## $title"
    echo
    echo '```'
    echo "\$ lastbit reveal $*"
    NO_COLOR=1 "$bin" reveal "$@"
    echo '```'
    echo
    echo "![$title](gallery/$file.svg)"
  } >> "$out"
}

cells() { # title, file, then the arguments
  local title=$1 file=$2
  shift 2
  # Exit code 1 means that cells differ.
  "$bin" reveal "$@" --cells --format svg -o "docs/reference/gallery/$file.svg" || [ $? = 1 ]
  {
    echo
    echo "## $title"
    echo
    echo '```'
    echo "\$ lastbit reveal $* --cells"
    NO_COLOR=1 "$bin" reveal "$@" --cells || [ $? = 1 ]
    echo '```'
    echo
    echo "![$title](gallery/$file.svg)"
  } >> "$out"
}

entry "NumPy: sum, 32 float32" numpy-sum-32 py:numpy.sum --dtype f32 -n 32
entry "NumPy: sum, 1024 float32" numpy-sum-1024 py:numpy.sum --dtype f32 -n 1024
entry "NumPy: sum, 8193 float16" numpy-sum-f16 py:numpy.sum --dtype f16 -n 8193
entry "NumPy: sum over axis 0" numpy-axis0 py:numpy.sum --dtype f32 -n 100 --axis 0
entry "NumPy: einsum 'i,i->', 100 float32" numpy-einsum py:numpy.einsum --op dot --dtype f32 -n 100
entry "PyTorch: sum, 1000 float32" torch-sum py:torch.sum --dtype f32 -n 1000
entry "OpenBLAS: sdot with a tail in double" openblas-sdot blas:openblas --op dot --dtype f32 -n 100
entry "OpenBLAS: sgemm, K = 512" openblas-sgemm blas:openblas --op gemm --dtype f32 -n 512
cells "OpenBLAS: which cells of a 20×20×64 sgemm share a tree" openblas-cells blas:openblas --op gemm --dtype f32 -n 64 --m 20 --cols 20
entry "BLIS: ddot" blis-ddot blas:blis --op dot --dtype f64 -n 100
entry "Reference BLAS: sdot" reference-sdot blas:reference --op dot --dtype f32 -n 24
entry "gonum: floats.Sum" gonum-sum gonum:floats.Sum --dtype f64 -n 100
entry "NVIDIA Volta's matrix unit (software model)" sim-v100 sim:v100 --dtype f16 -n 32
entry "NVIDIA Ampere's matrix unit (software model)" sim-a100 sim:a100 --dtype f16 -n 32
entry "NVIDIA Hopper's matrix unit (software model)" sim-h100 sim:h100 --dtype f16 -n 32
