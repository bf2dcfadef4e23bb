package httpload

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// The benchmark's server and client are processes of this test, so that each can be pinned, metered and
// traced as wrk is; scripts/bench-http runs them. They are told by the environment what to be.
const (
	envServe  = "PLIMSOLL_HTTPBENCH_SERVE"  // listen here and answer
	envClient = "PLIMSOLL_HTTPBENCH_CLIENT" // load this URL and print what came of it
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(envServe) != "":
		serveFixed(os.Getenv(envServe))
	case os.Getenv(envClient) != "":
		benchClient(os.Getenv(envClient))
	default:
		os.Exit(m.Run())
	}
}

// serveFixed answers every read with one answer, on one thread, by epoll: the least that a server can do, so that
// what is measured is its client.
func serveFixed(addr string) {
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	var port int
	fmt.Sscan(addr[strings.LastIndex(addr, ":")+1:], &port)
	ls, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	check(err)
	check(unix.SetsockoptInt(ls, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1))
	check(unix.Bind(ls, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}))
	check(unix.Listen(ls, 1024))
	ep, err := unix.EpollCreate1(0)
	check(err)
	check(unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, ls, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(ls)}))
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nHello World!")
	buf := make([]byte, 16<<10)
	var list [256]unix.EpollEvent
	for {
		n, _, e := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(ep), uintptr(unsafe.Pointer(&list[0])), 256, 100, 0, 0)
		if e != 0 {
			continue
		}
		for _, ev := range list[:n] {
			fd := int(ev.Fd)
			if fd == ls {
				c, _, err := unix.Accept4(ls, unix.SOCK_NONBLOCK)
				if err == nil {
					_ = unix.SetsockoptInt(c, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
					_ = unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, c, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(c)})
				}
				continue
			}
			k, errno := rawRead(fd, buf)
			if errno != 0 && errno != unix.EAGAIN || errno == 0 && k == 0 {
				_ = unix.Close(fd)
				continue
			}
			if errno == 0 {
				_, _ = rawWrite(fd, answer)
			}
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// benchClient loads a URL as the agent would, and prints requests a second, CPU microseconds a request, errors,
// and of an open load the send lag's and the spin-only control's p99 in microseconds.
func benchClient(url string) {
	number := func(name string, fallback int) int {
		if n, err := strconv.Atoi(os.Getenv("PLIMSOLL_HTTPBENCH_" + name)); err == nil {
			return n
		}
		return fallback
	}
	runtime.LockOSThread()
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(-1)
	connections, ms, perSecond := number("CONNECTIONS", 64), number("MS", 2000), number("RATE", 0)
	point, control := clients(connections), 0.0
	if perSecond > 0 {
		point = rate(float64(perSecond))
		h, err := load.SpinControl(200*time.Millisecond, float64(min(perSecond, 20_000)), 1)
		check(err)
		control = float64(h.ValueAtQuantile(99)) * 1e-3
	}
	target, err := New(Config{URLs: []string{url}})
	check(err)
	g, err := load.New(load.Config{Load: point, Lanes: 1, Seed: 1, Duration: time.Duration(ms) * time.Millisecond})
	check(err)
	lane, err := target.NewLane(context.Background(), connections)
	check(err)
	before := usage()
	g.Start(g.Clock().Now())
	check(lane.Run(context.Background(), g.Lane(0)))
	g.Lane(0).Leave()
	cpu := usage() - before
	r := g.Result()
	lag := 0.0
	if r.SendLag != nil {
		lag = float64(r.SendLag.ValueAtQuantile(99)) * 1e-3
	}
	fmt.Printf("%.0f %.3f %d %.1f %.1f %d %d\n", r.OpsPerSecond, cpu*1e6/float64(max(r.Ops, 1)), errorsOf(r), lag, control, r.Ops, lane.poll.waits)
}

// usage is the CPU seconds of this process so far.
func usage() float64 {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}

// TestBenchParts: what scripts/bench-http runs does run.
func TestBenchParts(t *testing.T) {
	url := fixedServer(t, "200 OK")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), envClient+"="+url, "PLIMSOLL_HTTPBENCH_MS=100", "PLIMSOLL_HTTPBENCH_CONNECTIONS=4")
	out, err := cmd.CombinedOutput()
	if fields := strings.Fields(string(out)); err != nil || len(fields) != 7 || fields[2] != "0" {
		t.Errorf("%s, %v", out, err)
	}
}
