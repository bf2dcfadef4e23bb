package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noRings is a script's command that runs another where io_uring is refused, as under many containers' filters.
func noRings() {
	fmt.Fprintln(os.Stderr, "norings:", runWithoutRings(os.Args[1:]))
	os.Exit(1)
}

// runWithoutRings returns only where it failed.
func runWithoutRings(args []string) error {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	const loadSyscall, equal, answer = 0x20, 0x15, 0x06 // BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
	filter := []unix.SockFilter{
		{Code: loadSyscall}, {Code: equal, Jf: 1, K: unix.SYS_IO_URING_SETUP},
		{Code: answer, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}, {Code: answer, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const allThreads = 1 // SECCOMP_FILTER_FLAG_TSYNC
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, allThreads,
		uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return syscall.Exec(path, args, os.Environ())
}
