package perf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// endOfStack is the address that marks the end of a stack unwound by tables.
const endOfStack = "ffffffffffffffff "

// maxLine exceeds any line of perf script: names of C++ templates are long.
const maxLine = 1 << 20

// scripted is the parsed output of perf script.
type scripted struct {
	pid     int // of perf script
	symbols symbols
	head    *regexp.Regexp
	fork    *regexp.Regexp
	lostN   *regexp.Regexp

	parents map[int]int
	lost    int64

	frames  map[string]record.Frame // by line
	ids     map[record.Frame]uint32
	found   map[string]int // by thread, name and stack
	sampled []engine.Sampled

	kernel, kernelNamed int64 // frames
	bad                 int   // unrecognised lines

	now *engine.Sampled // the sample being parsed
	key []byte
}

// symbols resolves addresses that perf cannot; name returns "" if unknown.
type symbols interface {
	name(file string, address uint64) string
}

func newScripted(s symbols) *scripted {
	return &scripted{symbols: s, parents: map[int]int{}, frames: map[string]record.Frame{}, ids: map[record.Frame]uint32{},
		found: map[string]int{},
		// COMM PID/TID SECONDS.NANOSECONDS: REST, with the name padded by blanks.
		head:  regexp.MustCompile(`^ *(\S.*?|) +(-?\d+)/(-?\d+) +(?:\[\d+\] +)?\d+\.\d+: *(.*?) *$`),
		fork:  regexp.MustCompile(`^PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)`),
		lostN: regexp.MustCompile(`^PERF_RECORD_LOST(?:_SAMPLES)?\b.*\blost (\d+)`),
	}
}

// read parses the output to its end. It counts unrecognised lines, and returns an error if there are no others.
func (s *scripted) read(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	lines := 0
	for in.Scan() {
		lines++
		s.line(in.Text())
	}
	s.end()
	switch {
	case in.Err() != nil:
		return fmt.Errorf("perf: read the output of perf script: %w", in.Err())
	case s.bad > 0 && len(s.sampled) == 0 && len(s.parents) == 0:
		return errors.New("perf: the output of perf script has no " +
			"sample in a known format\nhint: " + variable + "=PATH sets another perf")
	}
	return nil
}

func (s *scripted) line(text string) {
	switch {
	case strings.TrimSpace(text) == "":
		s.end()
		return
	case s.now != nil && s.frame(text):
		return
	}
	m := s.head.FindStringSubmatch(text)
	if m == nil {
		s.bad++
		return
	}
	s.end()
	rest := m[4]
	switch {
	case s.fork.MatchString(rest):
		ids := s.fork.FindStringSubmatch(rest)
		child, errC := strconv.Atoi(ids[1])
		parent, errP := strconv.Atoi(ids[2])
		if errC == nil && errP == nil && child != parent {
			s.parents[child] = parent
		}
	case s.lostN.MatchString(rest):
		n, _ := strconv.ParseInt(s.lostN.FindStringSubmatch(rest)[1], 10, 64)
		s.lost += n
	case strings.HasPrefix(rest, "PERF_RECORD_"):
	default:
		pid, errP := strconv.Atoi(m[2])
		tid, errT := strconv.Atoi(m[3])
		if errP != nil || errT != nil {
			s.bad++
			return
		}
		s.now = &engine.Sampled{Pid: pid, Tid: tid, Stack: record.Stack{Thread: m[1], N: 1}}
		if rest != "" {
			s.frame(rest) // a sample without callers
		}
	}
}

// frame adds a line of a stack, "ADDRESS SYMBOL (FILE)", to the sample; it reports false for other lines.
func (s *scripted) frame(text string) bool {
	f, ok := s.frames[text]
	if !ok {
		if f, ok = s.parse(text); !ok {
			return false
		}
		s.frames[text] = f
	}
	if strings.HasPrefix(strings.TrimSpace(text), endOfStack) {
		return true
	}
	if f.Module == record.ModuleKernel {
		s.kernel++
		if f.Function != "" {
			s.kernelNamed++
		}
	}
	// Several unnamed frames in a row say no more than one.
	if n := len(s.now.Frames); f.Function != "" || n == 0 || s.now.Frames[n-1] != f {
		s.now.Frames = append(s.now.Frames, f)
	}
	return true
}

func (s *scripted) parse(text string) (record.Frame, bool) {
	hex, rest, ok := strings.Cut(strings.TrimSpace(text), " ")
	address, err := strconv.ParseUint(hex, 16, 64)
	if !ok || err != nil {
		return record.Frame{}, false
	}
	function, file := divided(rest)
	f := record.Frame{Function: plain(function), Module: moduleOf(file)}
	if address>>63 == 1 { // the upper half is the kernel's, on amd64 and on arm64
		f.Module = record.ModuleKernel
	}
	if function == "[unknown]" {
		f.Function = ""
		if f.Module != record.ModuleKernel && strings.HasPrefix(file, "/") {
			f.Function = s.symbols.name(strings.TrimSuffix(file, " (deleted)"), address)
		}
	}
	return f, true
}

// divided splits "SYMBOL (FILE)". Both may contain blanks and parentheses: a file is a path, or in brackets, or a
// few other words.
func divided(text string) (function, file string) {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, ")") {
		return text, ""
	}
	at := max(strings.LastIndex(text, " (/"), strings.LastIndex(text, " (["))
	if at < 0 {
		at = strings.LastIndex(text, " (")
	}
	if at < 0 {
		if strings.HasPrefix(text, "(") {
			return "[unknown]", text[1 : len(text)-1]
		}
		return text, ""
	}
	return strings.TrimSpace(text[:at]), text[at+2 : len(text)-1]
}

// moduleOf returns a file's name; "" for other origins, such as code from a JIT compiler.
func moduleOf(file string) string {
	file = strings.TrimSuffix(file, " (deleted)")
	base := path.Base(file)
	switch {
	case file == "" || file == "[unknown]" || strings.HasPrefix(file, "//anon") || file == "anon" ||
		strings.HasPrefix(file, "[heap") || strings.HasPrefix(file, "[stack"),
		strings.HasPrefix(base, "perf-") && strings.HasSuffix(base, ".map"):
		return ""
	case strings.HasPrefix(file, "["):
		return file
	}
	return base
}

// end counts the parsed sample.
func (s *scripted) end() {
	if s.now == nil {
		return
	}
	s.key = binary.AppendVarint(binary.AppendVarint(s.key[:0], int64(s.now.Pid)), int64(s.now.Tid))
	for _, f := range s.now.Frames {
		id, ok := s.ids[f]
		if !ok {
			id = uint32(len(s.ids))
			s.ids[f] = id
		}
		s.key = binary.AppendUvarint(s.key, uint64(id))
	}
	s.key = append(append(s.key, 0), s.now.Thread...)
	if at, ok := s.found[string(s.key)]; ok {
		s.sampled[at].N++
	} else {
		s.found[string(s.key)] = len(s.sampled)
		s.sampled = append(s.sampled, *s.now)
	}
	s.now = nil
}

func (s *scripted) stacks() []engine.Sampled { return s.sampled }

// plain returns a symbol without additions by linkers: the version of a library's (__send@@GLIBC_2.2.5), and Go's
// mark of assembly.
func plain(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "@@")
	return strings.TrimSuffix(symbol, ".abi0")
}
