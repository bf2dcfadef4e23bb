// Package category attributes CPU time and waits of threads to categories, by rules over the symbols of profiles. It is
// pure. docs/explain.md lists the categories.
package category

import (
	"cmp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Name is a category, such as encryption.
type Name string

// The categories of CPU time.
const (
	Crypto        Name = "crypto"
	Compression   Name = "compression"
	Checksum      Name = "checksums"
	Copying       Name = "copy"
	KernelNetwork Name = "kernel network"
	KernelDisk    Name = "kernel disk"
	KernelMemory  Name = "kernel memory"
	Scheduling    Name = "scheduling"
	SystemCalls   Name = "system calls"
	Collection    Name = "garbage collection"
	Compiling     Name = "jit"
	Locks         Name = "locks"
	Application   Name = "application"
	Unattributed  Name = "unattributed"
)

// All returns the categories of CPU time and of waits, in a fixed order.
func All() []Name {
	return []Name{Crypto, Compression, Checksum, Copying, KernelNetwork, KernelDisk, KernelMemory, Collection, Compiling,
		Locks, Scheduling, SystemCalls, Application,
		WaitingDisk, WaitingNetwork, WaitingStandby, WaitingMemory, WaitingParked, WaitingIdle, Unattributed}
}

// symbolRule defines the functions of a category. Patterns are names, with * for any text.
type symbolRule struct {
	category  Name
	whole     bool        // anywhere on the stack, taking precedence over the innermost frames
	in        whereabouts // location of its functions
	threads   []string    // names of threads: everything they do
	modules   []string    // required modules of its functions; without functions: everything in them
	functions []string
}

// whereabouts is the kind of code that a frame is in.
type whereabouts int

const (
	inUser   whereabouts = iota // programs and libraries
	inJava                      // Java methods
	inKernel                    // the kernel
)

func placeOfFrame(f record.Frame) whereabouts {
	switch f.Module {
	case record.ModuleKernel:
		return inKernel
	case record.ModuleJava:
		return inJava
	}
	return inUser
}

// matches reports whether a name matches a pattern: the texts between its stars, in order.
func matches(pattern, name string) bool {
	// most of them, at a fraction of the cost
	if pattern == "" || pattern[0] != '*' && (name == "" || pattern[0] != name[0]) {
		return pattern == name
	}
	head, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return name == pattern
	}
	left, ok := strings.CutPrefix(name, head)
	if !ok {
		return false
	}
	for {
		part, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(left, part)
		}
		at := strings.Index(left, part)
		if at < 0 {
			return false
		}
		left, rest = left[at+len(part):], after
	}
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

func (r symbolRule) holds(f record.Frame) bool {
	if len(r.modules) == 0 && len(r.functions) == 0 || placeOfFrame(f) != r.in {
		return false
	}
	return (len(r.modules) == 0 || matchesAny(r.modules, f.Module)) &&
		(len(r.functions) == 0 || named(f) && matchesAny(r.functions, plainName(f)))
}

// named reports whether a frame's function is known. Profilers put placeholders in brackets.
func named(f record.Frame) bool { return f.Function != "" && !strings.HasPrefix(f.Function, "[") }

// plainName returns a function's name without additions of compilers and profilers: Java packages use dots, and
// compiler-generated variants of a function (such as .isra.0) are that function.
func plainName(f record.Frame) string {
	switch placeOfFrame(f) {
	case inJava:
		name := f.Function
		if class, method, ok := strings.Cut(name, ";::"); ok {
			name = strings.TrimPrefix(class, "L") + "." + method
		}
		return strings.ReplaceAll(name, "/", ".")
	case inKernel:
		name, _, _ := strings.Cut(f.Function, ".")
		return name
	}
	return f.Function
}

// sorter applies rules and caches the result per frame: a profile has few frames and many stacks.
type sorter struct {
	rules  []symbolRule
	frames map[record.Frame]frameRules
}

// frameRules is the result of the rules for one frame.
type frameRules struct {
	whole int  // first matching rule for whole stacks; the number of rules if none matches
	own   Name // "" if no other rule matches
}

func newSorter(rules []symbolRule) sorter {
	return sorter{rules, map[record.Frame]frameRules{}}
}

func (s sorter) frame(f record.Frame) frameRules {
	if known, ok := s.frames[f]; ok {
		return known
	}
	out := frameRules{whole: len(s.rules)}
	for i, r := range s.rules {
		switch {
		case !r.holds(f):
		case r.whole:
			out.whole = min(out.whole, i)
		case out.own == "":
			out.own = r.category
		}
	}
	s.frames[f] = out
	return out
}

// of returns the category of a stack: by the first matching rule for whole stacks, else by the innermost frame with a
// matching rule. A stack in the kernel is judged by its kernel frames only. It is "" if no rule matches.
func (s sorter) of(st record.Stack) Name {
	first := len(s.rules)
	for i, r := range s.rules {
		if st.Thread != "" && matchesAny(r.threads, st.Thread) {
			first = i
			break
		}
	}
	own, within := Name(""), len(upToBoundary(st.Frames))
	for i, f := range st.Frames {
		known := s.frame(f)
		first = min(first, known.whole)
		if i < within {
			own = cmp.Or(own, known.own)
		}
	}
	if first < len(s.rules) {
		return s.rules[first].category
	}
	return own
}

// upToBoundary drops the callers of the kernel: they do not characterise the kernel's work.
func upToBoundary(frames []record.Frame) []record.Frame {
	if len(frames) == 0 || placeOfFrame(frames[0]) != inKernel {
		return frames
	}
	at := slices.IndexFunc(frames, func(f record.Frame) bool { return placeOfFrame(f) != inKernel })
	if at < 0 {
		return frames
	}
	return frames[:at]
}

// cpu returns the category of a stack's CPU time even if no rule matches: the rest of the kernel is system calls, and
// the rest of programs is the application if a frame other than the roots of threads has a name.
func (s sorter) cpu(st record.Stack) Name {
	if c := s.of(st); c != "" {
		return c
	}
	if len(st.Frames) > 0 && placeOfFrame(st.Frames[0]) == inKernel && named(st.Frames[0]) {
		return SystemCalls
	}
	for _, f := range st.Frames {
		if named(f) && placeOfFrame(f) != inKernel && !matchesAny(roots(), plainName(f)) {
			return Application
		}
	}
	return Unattributed
}

// roots returns the functions that begin every thread, which say nothing about its work.
func roots() []string {
	return []string{"_start", "__libc_start_*", "start_thread", "clone", "clone3", "__clone*", "thread_start",
		"java.lang.Thread.run*", "thread_native_entry*", "runtime.goexit*", "runtime.mstart*", "runtime.rt0_go*"}
}
