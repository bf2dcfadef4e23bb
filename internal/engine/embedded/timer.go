package embedded

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// timers sleep by the kernel's high-resolution timers. Those of Go round up to a millisecond in an idle process,
// which would show in every latency. The zero value is ready.
type timers struct {
	idle sync.Pool // of *os.File
}

// sleep waits for d, which is over 0.
func (t *timers) sleep(d time.Duration) error {
	f, err := t.get()
	if err != nil {
		return err
	}
	if err := arm(f, d); err != nil {
		return err
	}
	if err := await(f); err != nil {
		return fmt.Errorf("wait %v: %w", d, err)
	}
	t.idle.Put(f)
	return nil
}

func (t *timers) get() (*os.File, error) {
	if f, ok := t.idle.Get().(*os.File); ok {
		return f, nil
	}
	return newTimer()
}

// alarm is such a timer that can be reset while somebody waits for it.
type alarm struct{ file *os.File }

func newAlarm() (*alarm, error) {
	f, err := newTimer()
	return &alarm{f}, err
}

// set makes it ring in d, at once if that has passed, and cancels the previous setting.
func (a *alarm) set(d time.Duration) error { return arm(a.file, max(d, 1)) }

// wait returns when it rings, or with an error once it is closed.
func (a *alarm) wait() error { return await(a.file) }

func (a *alarm) close() error { return a.file.Close() }

func newTimer() (*os.File, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make a timer: %w", err)
	}
	return os.NewFile(uintptr(fd), "timer"), nil
}

// arm makes a timer ring once, in d, which must be positive.
func arm(f *os.File, d time.Duration) error {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	conn, err := f.SyscallConn()
	if err != nil {
		return fmt.Errorf("wait %v: %w", d, err)
	}
	var set error
	if err := conn.Control(func(fd uintptr) { set = unix.TimerfdSettime(int(fd), 0, &spec, nil) }); err != nil ||
		set != nil {
		return fmt.Errorf("wait %v: %w", d, firstOf(set, err))
	}
	return nil
}

// await waits until a timer rings.
func await(f *os.File) error {
	var rings [8]byte // number of expirations
	_, err := f.Read(rings[:])
	return err
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
