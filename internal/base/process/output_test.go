package process

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestOutputWithoutEnd: the wait for the end of an output ends at its deadline, although there is always more to read.
func TestOutputWithoutEnd(t *testing.T) {
	fd, err := unix.Open("/dev/zero", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	endless := &Output{fd: fd}
	defer endless.close()
	ended := make(chan error, 1)
	go func() { ended <- follow(-1, time.Now(), make([]byte, readBytes), endless) }()
	select {
	case err := <-ended:
		if err != nil || endless.fd < 0 {
			t.Errorf("%v, descriptor %d", err, endless.fd)
		}
	case <-time.After(time.Minute):
		t.Fatal("it is still read")
	}
}
