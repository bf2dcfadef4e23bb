package httpload

import (
	"cmp"
	"fmt"
	"math"
	"net/netip"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// maxArrivals is how many arrivals the benchmark's server remembers of one client.
const maxArrivals = 1 << 22

// fixed is the benchmark's server: it answers every read with one answer, on one thread, by epoll. A server can
// hardly do less, so that the measurement is that of its client. With a rate it also reports how late each client
// met a uniform schedule of that rate.
type fixed struct {
	listener, poll int
	list           [256]unix.EpollEvent
	buf, answer    []byte
	clock          load.Clock
	open           int // connections
	arrivals       []arrival
	rate           float64 // 0: arrivals are not remembered
	each           bool    // the schedule is each connection's own, of its share of the rate
}

type arrival struct {
	at int64 // ns
	fd int32
}

// serveFixed listens at an IPv4 address, and prints the port.
func serveFixed(address string) {
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	clock, err := load.NewClock()
	check(err)
	s := &fixed{clock: clock, rate: float64(number("RATE", 0)), each: number("EACH", 0) > 0, buf: make([]byte, 16<<10)}
	if s.rate > 0 {
		s.arrivals = make([]arrival, 0, maxArrivals)
	}
	s.answer = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nHello World!")
	s.listen(netip.MustParseAddrPort(address))
	for {
		s.turn()
	}
}

func (s *fixed) listen(at netip.AddrPort) {
	var err error
	s.listener, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	check(err)
	check(unix.SetsockoptInt(s.listener, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1))
	check(unix.Bind(s.listener, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}))
	check(unix.Listen(s.listener, 4096))
	s.poll, err = unix.EpollCreate1(0)
	check(err)
	s.watch(s.listener)
	name, err := unix.Getsockname(s.listener)
	check(err)
	fmt.Fprintf(os.Stderr, "port %d\n", name.(*unix.SockaddrInet4).Port)
}

func (s *fixed) watch(fd int) {
	check(unix.EpollCtl(s.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}))
}

func (s *fixed) turn() {
	n, _, e := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(s.poll), uintptr(unsafe.Pointer(&s.list[0])),
		uintptr(len(s.list)), 100, 0, 0)
	if e != 0 {
		return
	}
	for _, ev := range s.list[:n] {
		if fd := int(ev.Fd); fd == s.listener {
			s.accept()
		} else {
			s.serve(fd)
		}
	}
}

func (s *fixed) accept() {
	if c, _, err := unix.Accept4(s.listener, unix.SOCK_NONBLOCK); err == nil {
		check(unix.SetsockoptInt(c, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1))
		s.watch(c)
		s.open++
	}
}

func (s *fixed) serve(fd int) {
	n, errno := rawRead(fd, s.buf)
	switch {
	case errno == unix.EAGAIN || errno == unix.EINTR:
	case errno != 0 || n == 0:
		_ = unix.Close(fd)
		if s.open--; s.open == 0 {
			s.tell()
		}
	default:
		if s.rate > 0 && len(s.arrivals) < maxArrivals {
			s.arrivals = append(s.arrivals, arrival{s.clock.Now(), int32(fd)})
		}
		_, _ = rawWrite(fd, s.answer)
	}
}

// tell prints how late a client's requests came once its last connection is closed. A client's schedule is not
// known, but that it is uniform: its beginning is the one that the earliest request just met.
func (s *fixed) tell() {
	if len(s.arrivals) == 0 {
		return
	}
	slices.SortStableFunc(s.arrivals, func(a, b arrival) int {
		if !s.each {
			return 0
		}
		return cmp.Compare(a.fd, b.fd)
	})
	connections := 1
	for i := 1; i < len(s.arrivals); i++ {
		if s.each && s.arrivals[i].fd != s.arrivals[i-1].fd {
			connections++
		}
	}
	late := make([]int64, 0, len(s.arrivals))
	for from := 0; from < len(s.arrivals); {
		to := len(s.arrivals)
		if s.each {
			for to = from; to < len(s.arrivals) && s.arrivals[to].fd == s.arrivals[from].fd; to++ {
			}
		}
		late = lateness(late, s.arrivals[from:to], 1e9*float64(connections)/s.rate)
		from = to
	}
	slices.Sort(late)
	fmt.Printf("arrivals %d on %d schedules\n", len(late), connections)
	printTimes("late", func(q float64) int64 { return late[min(int(q/100*float64(len(late))), len(late)-1)] })
	s.arrivals = s.arrivals[:0]
}

// lateness appends by how many nanoseconds each arrival came after a uniform schedule.
func lateness(late []int64, arrivals []arrival, gap float64) []int64 {
	first := int64(math.MaxInt64)
	for i, a := range arrivals {
		first = min(first, a.at-int64(float64(i)*gap))
	}
	for i, a := range arrivals {
		late = append(late, a.at-int64(float64(i)*gap)-first)
	}
	return late
}
