package crew

// sysGetcpu is the number of a system call that package syscall lacks here.
const sysGetcpu = 309
