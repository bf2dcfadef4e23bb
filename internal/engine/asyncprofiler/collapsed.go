package asyncprofiler

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// maxLine is longer than any stack: 2048 frames of long names.
const maxLine = 4 << 20

// parseCollapsed reads async-profiler's collapsed form with threads, kinds of frames (ann) and libraries (lib): "FRAME;FRAME;… COUNT" a line, the outermost
// first, of which the first is the thread.
func parseCollapsed(r io.Reader) ([]engine.Sampled, error) {
	var out []engine.Sampled
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	for line := 1; in.Scan(); line++ {
		text := in.Text()
		if text == "" {
			continue
		}
		at := strings.LastIndexByte(text, ' ')
		n, err := strconv.ParseInt(text[at+1:], 10, 64)
		if at < 1 || err != nil || n < 0 {
			return nil, fmt.Errorf("line %d: %.80q does not end in a number of samples", line, text)
		}
		out = append(out, stackOf(text[:at], n))
	}
	if in.Err() != nil {
		return nil, fmt.Errorf("read samples: %w", errors.Join(in.Err()))
	}
	return out, nil
}

func stackOf(text string, n int64) engine.Sampled {
	s := engine.Sampled{Stack: record.Stack{N: n}}
	frames := strings.Split(text, ";")
	if thread, tid, ok := threadOf(frames[0]); ok {
		s.Thread, s.Tid = thread, tid
		frames = frames[1:]
	}
	for i := len(frames) - 1; i >= 0; i-- {
		s.Frames = append(s.Frames, frameOf(frames[i]))
	}
	return s
}

// threadOf reads "[NAME tid=123]".
func threadOf(text string) (thread string, tid int, ok bool) {
	inner, open := strings.CutPrefix(text, "[")
	inner, end := strings.CutSuffix(inner, "]")
	at := strings.LastIndex(inner, "tid=")
	if !open || !end || at < 0 {
		return "", 0, false
	}
	tid, err := strconv.Atoi(inner[at+len("tid="):])
	return strings.TrimSpace(inner[:at]), tid, err == nil
}

// frameOf reads one function: Java's end in _[j], _[1] (both compiled), _[i] (inlined) or _[0] (interpreted), the kernel's in _[k]; native ones stand
// after their library and a backquote. What is in brackets as a whole says that there is no name.
func frameOf(text string) record.Frame {
	library, function, has := strings.Cut(text, "`")
	if !has {
		library, function = "", text
	}
	if f, ok := strings.CutSuffix(function, "_[k]"); ok {
		return record.Frame{Function: f, Module: record.ModuleKernel}
	}
	for _, kind := range []string{"_[j]", "_[i]", "_[0]", "_[1]"} {
		if f, ok := strings.CutSuffix(function, kind); ok {
			return record.Frame{Function: javaName(f), Module: record.ModuleJava}
		}
	}
	function, _, _ = strings.Cut(function, "@@") // the version of a symbol, such as clock_gettime@@GLIBC_2.17
	switch {
	case library == "[kernel]":
		library = record.ModuleKernel
	case strings.HasPrefix(function, "[") && strings.HasSuffix(function, "]"):
		return record.Frame{Module: library}
	case !has && strings.Contains(function, ".so") && !strings.ContainsAny(function, "(: "):
		return record.Frame{Module: function} // a library's name stands for what has none in it
	case !has:
		library = record.ModuleJava // code that the runtime has made for itself
	}
	return record.Frame{Function: function, Module: library}
}

// javaName is a method with dots between the packages, and without the number of a lambda's class, which is another one in each run.
func javaName(method string) string {
	method = strings.ReplaceAll(method, "/", ".")
	const lambda = "$$Lambda"
	class, rest, ok := strings.Cut(method, lambda+"$")
	if !ok {
		return method
	}
	return class + lambda + strings.TrimLeft(rest, "0123456789")
}
