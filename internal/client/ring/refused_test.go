package ring

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// part is the environment variable that makes this test's program a process under some limit.
const part = "PLIMSOLL_RING_PART"

func TestMain(m *testing.M) {
	switch os.Getenv(part) {
	case "memlock":
		fmt.Println(underMemlock())
	case "filter":
		fmt.Println(underFilter())
	default:
		os.Exit(m.Run())
	}
}

// as runs this program again as one of its parts, and returns its output.
func as(t *testing.T, name string) string {
	t.Helper()
	skipRefused(t, Available())
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), part+"="+name)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// underMemlock registers 1 MiB with a limit of 64 KiB. The limit does not bind root, so it stops being root.
func underMemlock() error {
	limit := unix.Rlimit{Cur: 64 << 10, Max: 64 << 10}
	if err := unix.Setrlimit(unix.RLIMIT_MEMLOCK, &limit); err != nil {
		return err
	}
	if os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	buffers, _, err := Map(4, 256<<10)
	if err != nil {
		return err
	}
	r, err := New(Config{Depth: 4, Buffers: buffers, Register: true})
	if err == nil {
		return errors.Join(errors.New("made"), r.Close())
	}
	var e *MemlockError
	if !errors.As(err, &e) || !errors.Is(err, unix.ENOMEM) {
		return fmt.Errorf("no MemlockError: %w", err)
	}
	return fmt.Errorf("needs %d, allowed %d: %w", e.Needed, e.Allowed, err)
}

func TestMemlock(t *testing.T) {
	got := as(t, "memlock")
	for _, want := range []string{"needs 1048576, allowed 65536",
		"needs 1048576 bytes of locked memory, but the limit is 65536 (RLIMIT_MEMLOCK)\nhint: ulimit -l 1024"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

// underFilter asks for a ring under a seccomp filter such as containers have.
func underFilter() error {
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
	_, err := New(Config{Depth: 1})
	var e *RefusedError
	if !errors.As(err, &e) || !errors.Is(err, unix.EPERM) || Available() == nil {
		return fmt.Errorf("no RefusedError: %w", err)
	}
	return err
}

func TestRefusedByAFilter(t *testing.T) {
	if got := as(t, "filter"); !strings.HasPrefix(got, "io_uring is refused here: not permitted") {
		t.Error(got)
	}
}

func TestRefusals(t *testing.T) {
	for errno, want := range map[unix.Errno]bool{unix.ENOSYS: true, unix.EPERM: true, unix.EACCES: true,
		unix.ENOMEM: false, unix.EMFILE: false} {
		if err := refused(errno); (err != nil) != want || want && !errors.Is(err, errno) {
			t.Errorf("%v: %v", errno, err)
		}
	}
	if got := shortOfMemory(unix.EINVAL, 1<<40); got != unix.EINVAL {
		t.Error(got)
	}
	if got := shortOfMemory(unix.ENOMEM, 0); got != unix.ENOMEM {
		t.Errorf("short of 0 bytes: %v", got)
	}
}
