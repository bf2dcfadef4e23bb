package waits

import "golang.org/x/sys/unix"

// waitingCallHere names those that amd64 has beside the others.
func waitingCallHere(n int) string {
	switch n {
	case unix.SYS_POLL:
		return "poll"
	case unix.SYS_SELECT:
		return "select"
	case unix.SYS_EPOLL_WAIT:
		return "epoll_wait"
	case unix.SYS_PAUSE:
		return "pause"
	case unix.SYS_OPEN:
		return "open"
	}
	return ""
}
