package waits

import "golang.org/x/sys/unix"

// waitingCall is the name of a system call in which threads are known to wait; "" of others.
func waitingCall(n int) string {
	if name := waitingCallHere(n); name != "" {
		return name
	}
	switch n {
	case unix.SYS_READ:
		return "read"
	case unix.SYS_WRITE:
		return "write"
	case unix.SYS_READV:
		return "readv"
	case unix.SYS_WRITEV:
		return "writev"
	case unix.SYS_PREAD64:
		return "pread64"
	case unix.SYS_PWRITE64:
		return "pwrite64"
	case unix.SYS_PREADV:
		return "preadv"
	case unix.SYS_PWRITEV:
		return "pwritev"
	case unix.SYS_FSYNC:
		return "fsync"
	case unix.SYS_FDATASYNC:
		return "fdatasync"
	case unix.SYS_SYNC_FILE_RANGE:
		return "sync_file_range"
	case unix.SYS_MSYNC:
		return "msync"
	case unix.SYS_FALLOCATE:
		return "fallocate"
	case unix.SYS_FTRUNCATE:
		return "ftruncate"
	case unix.SYS_OPENAT:
		return "openat"
	case unix.SYS_FLOCK:
		return "flock"
	case unix.SYS_FCNTL:
		return "fcntl"
	case unix.SYS_FUTEX:
		return "futex"
	case unix.SYS_SEMOP:
		return "semop"
	case unix.SYS_SEMTIMEDOP:
		return "semtimedop"
	case unix.SYS_EPOLL_PWAIT:
		return "epoll_pwait"
	case unix.SYS_PPOLL:
		return "ppoll"
	case unix.SYS_PSELECT6:
		return "pselect6"
	case unix.SYS_NANOSLEEP:
		return "nanosleep"
	case unix.SYS_CLOCK_NANOSLEEP:
		return "clock_nanosleep"
	case unix.SYS_ACCEPT:
		return "accept"
	case unix.SYS_ACCEPT4:
		return "accept4"
	case unix.SYS_CONNECT:
		return "connect"
	case unix.SYS_RECVFROM:
		return "recvfrom"
	case unix.SYS_RECVMSG:
		return "recvmsg"
	case unix.SYS_SENDTO:
		return "sendto"
	case unix.SYS_SENDMSG:
		return "sendmsg"
	case unix.SYS_SENDFILE:
		return "sendfile"
	case unix.SYS_SPLICE:
		return "splice"
	case unix.SYS_WAIT4:
		return "wait4"
	case unix.SYS_WAITID:
		return "waitid"
	case unix.SYS_RT_SIGTIMEDWAIT:
		return "rt_sigtimedwait"
	case unix.SYS_RT_SIGSUSPEND:
		return "rt_sigsuspend"
	case unix.SYS_IO_GETEVENTS:
		return "io_getevents"
	case unix.SYS_IO_URING_ENTER:
		return "io_uring_enter"
	}
	return ""
}
