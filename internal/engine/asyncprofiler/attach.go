package asyncprofiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The protocol by which HotSpot lets others attach (src/hotspot/os/posix/attachListener_posix.cpp of the JDK): a
// file .attach_pidN in its working directory and a SIGQUIT make it listen at a socket /tmp/.java_pidN; a request is
// the protocol's version, a command and three arguments, each ended by a zero byte, and its answer a number and
// text. jcmd does the same, but takes a Java runtime of its own, half a second of CPU time in the measured window.
const (
	attachVersion = "1"
	attachWithin  = 6 * time.Second
	attachPoll    = 20 * time.Millisecond
	answerWithin  = 30 * time.Second
	maxAnswer     = 64 << 10
)

// machine is an attachable Java virtual machine.
type machine struct {
	pid    int
	socket string
	ours   bool // it listens because of us, and leaves its socket behind if killed
}

// attach makes a Java virtual machine listen.
func attach(ctx context.Context, pid int) (machine, error) {
	fail := func(err error) (machine, error) {
		return machine{}, fmt.Errorf("%s: attach to the Java runtime of process %d: %w", name, pid, err)
	}
	proc := "/proc/" + strconv.Itoa(pid)
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		return fail(err)
	}
	inner, quits, err := parseStatus(string(status))
	if err != nil {
		return fail(err)
	}
	m := machine{pid: pid, socket: fmt.Sprintf("%s/root/tmp/.java_pid%d", proc, inner)}
	if m.listens() {
		return m, nil
	}
	if flag := forbids(proc); flag != "" {
		return fail(fmt.Errorf("it was started with %s\nhint: leave that out", flag))
	}
	if quits {
		return fail(errors.New("the SIGQUIT that requests it would end it\nhint: leave out -Xrs"))
	}
	ask := fmt.Sprintf("%s/cwd/.attach_pid%d", proc, inner)
	// Exclusively, which follows no link: the directory may be another user's.
	f, err := os.OpenFile(ask, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o660)
	if err == nil {
		f.Close()
	} else if left, _ := os.Lstat(ask); !errors.Is(err, fs.ErrExist) || left == nil || !left.Mode().IsRegular() {
		return fail(err)
	} // else one that was killed as it attached has left it
	defer os.Remove(ask)
	if err := unix.Kill(pid, unix.SIGQUIT); err != nil {
		return fail(err)
	}
	for deadline := time.Now().Add(attachWithin); ; {
		switch {
		case m.listens():
			m.ours = true
			return m, nil
		case ctx.Err() != nil:
			return fail(context.Cause(ctx))
		case time.Now().After(deadline):
			return fail(fmt.Errorf("it did not listen within %v", attachWithin))
		}
		time.Sleep(attachPoll)
	}
}

func (m machine) listens() bool {
	st, err := os.Stat(m.socket)
	return err == nil && st.Mode()&os.ModeSocket != 0
}

// forget removes the socket that a machine made for us. It makes another one for the next client.
func (m machine) forget() error {
	if !m.ours {
		return nil
	}
	if err := os.Remove(m.socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// forbids returns the flag that disables attaching; "" if there is none, as far as can be seen.
func forbids(proc string) string {
	for _, file := range []string{"cmdline", "environ"} {
		text, _ := os.ReadFile(filepath.Join(proc, file))
		for _, flag := range []string{"-XX:+DisableAttachMechanism"} {
			if strings.Contains(string(text), flag) {
				return flag
			}
		}
	}
	return ""
}

// parseStatus returns the process's id in its own namespace from /proc/PID/status (proc(5)), and whether SIGQUIT
// would end it.
func parseStatus(text string) (inner int, quits bool, err error) {
	caught := ""
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, ":")
		fields := strings.Fields(value)
		if len(fields) == 0 {
			continue
		}
		switch key {
		case "Pid":
			if inner == 0 {
				inner, err = strconv.Atoi(fields[0])
			}
		case "NSpid":
			inner, err = strconv.Atoi(fields[len(fields)-1])
		case "SigCgt":
			caught = fields[0]
		}
		if err != nil {
			return 0, false, fmt.Errorf("its status has %.60q for its id: %w", line, unix.EINVAL)
		}
	}
	set, errSet := strconv.ParseUint(caught, 16, 64)
	if inner < 1 || errSet != nil {
		return 0, false, fmt.Errorf("its status lacks its id or the signals that it catches: %w", unix.EINVAL)
	}
	return inner, set>>(uint(unix.SIGQUIT)-1)&1 == 0, nil
}

// load makes the machine load a library, once, with options; the answer is the library's.
func (m machine) load(ctx context.Context, library, options string) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", m.socket)
	if err != nil {
		return fmt.Errorf("%s: ask the Java runtime of process %d: %w", name, m.pid, err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	_ = conn.SetDeadline(time.Now().Add(answerWithin))
	request := strings.Join([]string{attachVersion, "load", library, "true", options, ""}, "\x00")
	if _, err = io.WriteString(conn, request); err == nil {
		var answer []byte
		if answer, err = io.ReadAll(io.LimitReader(conn, maxAnswer)); err == nil || len(answer) > 0 {
			err = parseAnswer(string(answer))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: ask the Java runtime of process %d to %.40s: %w", name, m.pid, options, err)
	}
	return nil
}

// parseAnswer parses the answer to a load: 0 in the first line if it was understood, and in the second the library's
// own result, "return code: 0" (or 0, in Java 8).
func parseAnswer(text string) error {
	first, rest, _ := strings.Cut(text, "\n")
	rest = strings.TrimSpace(rest)
	if code, err := strconv.Atoi(strings.TrimSpace(first)); err != nil || code != 0 {
		return fmt.Errorf("it refused: %.200s", strings.TrimSpace(text))
	}
	code := strings.TrimSpace(strings.TrimPrefix(rest, "return code:"))
	if code != "0" && code != "" {
		return fmt.Errorf("it failed: %.200s", rest)
	}
	return nil
}
