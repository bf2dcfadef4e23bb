package httpload

import (
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// benchControl is the earliest possible client: a thread that spins until each request is due, writes it to the next
// connection, and reads answers only to make room. It takes a whole CPU. Its lateness, as the server sees it, is
// that of the machine, its network and the server.
func benchControl(url string) {
	runtime.LockOSThread()
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(-1)
	target, err := New(Config{URLs: []string{url}})
	check(err)
	var sockets []int
	for range number("CONNECTIONS", 64) {
		c := &conn{fd: -1}
		if f := c.open(&target.servers[0]); f.some() {
			check(f)
		}
		check(wait(c.fd))
		sockets = append(sockets, c.fd)
	}
	clock, err := load.NewClock()
	check(err)
	gap, length := 1e9/float64(number("RATE", 1000)), int64(number("MS", 2000))*1e6
	buf, request := make([]byte, 4096), target.requests[0].bytes
	zero := clock.Now() + int64(10*time.Millisecond)
	for i := 0; int64(float64(i)*gap) < length; i++ {
		due, fd := zero+int64(float64(i)*gap), sockets[i%len(sockets)]
		for clock.Now() < due {
		}
		_, _ = rawWrite(fd, request)
		_, _ = rawRead(fd, buf)
	}
	time.Sleep(50 * time.Millisecond)
	for _, fd := range sockets {
		check(unix.Close(fd))
	}
}

// wait returns once a socket that connects can be written to.
func wait(fd int) error {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, 5000)
		if n > 0 || err != nil && err != unix.EINTR {
			return err
		}
	}
}
