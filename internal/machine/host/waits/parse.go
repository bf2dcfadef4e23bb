package waits

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
)

// taskStat is the part that is read of /proc/PID/task/TID/stat, see proc(5).
type taskStat struct {
	comm  string
	state byte
}

// parseTaskStat: the name of a thread may hold blanks and parentheses.
func parseTaskStat(b []byte) (taskStat, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open || len(b) < end+3 || b[end+1] != ' ' {
		return taskStat{}, fmt.Errorf("%.60q is not ID (NAME) STATE …", b)
	}
	return taskStat{comm: string(b[open+1 : end]), state: b[end+2]}, nil
}

// parseKernelStack reads /proc/PID/task/TID/stack: "[<0>] function+0x1b/0x90 [module]" a line, the innermost first.
func parseKernelStack(b []byte) ([]record.Frame, error) {
	var out []record.Frame
	for line := range strings.Lines(string(b)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "[<") {
			return nil, fmt.Errorf("%.80q is not a line of a kernel's stack", line)
		}
		name, _, _ := strings.Cut(fields[1], "+0x")
		if strings.HasPrefix(name, "0x") {
			name = "" // the kernel has no symbols, or does not show them
		}
		out = append(out, record.Frame{Function: name, Module: record.ModuleKernel})
	}
	return out, nil
}

// parseWchan reads /proc/PID/task/TID/wchan: the kernel's function in which a thread waits; false
// if there is none or it may not be seen.
func parseWchan(b []byte) (string, bool) {
	name := strings.TrimSpace(string(b))
	return name, name != "" && name != "0"
}

// parseSyscall reads /proc/PID/task/TID/syscall: "NUMBER ARGUMENTS…", -1 outside of system calls,
// "running" (proc(5)). It returns the call's name, or its number if that is not among those that
// wait.
func parseSyscall(b []byte) (string, bool) {
	first, _, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 {
		return "", false
	}
	if name := waitingCall(n); name != "" {
		return name, true
	}
	return "system call " + first, true
}

// The operations of futex(2) by which threads wait, and the flags beside them (linux/futex.h).
const (
	futexWait       = 0
	futexWaitBitset = 9
	futexFlags      = 128 | 256 // private, real-time clock
)

// contended reports whether a system call, as parseSyscall has it, waits until a futex is no longer 2. That is the
// state of a mutex for which others wait in glibc (nptl/lowlevellock.c), in Rust's library and in Go's runtime, after
// U. Drepper, Futexes Are Tricky, section 5. Other waits have other values: a count of wake-ups, or 0.
func contended(b []byte) bool {
	fields := strings.Fields(string(b))
	if len(fields) < 4 || fields[0] != strconv.Itoa(unix.SYS_FUTEX) {
		return false
	}
	op, err1 := strconv.ParseUint(fields[2], 0, 64)
	value, err2 := strconv.ParseUint(fields[3], 0, 64)
	op &^= futexFlags
	return err1 == nil && err2 == nil && (op == futexWait || op == futexWaitBitset) && uint32(value) == 2
}
