//go:build !amd64

package crew

import "syscall"

const sysGetcpu = syscall.SYS_GETCPU
