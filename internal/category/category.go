// Package category says what CPU time went to and what threads wait for, by rules of the symbols that profiles hold. It is pure. docs/explain.md has the
// very rules.
package category

import (
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

// All are the categories of CPU time and of waits, in a fixed order.
func All() []Name {
	return []Name{Crypto, Compression, Checksum, Copying, KernelNetwork, KernelDisk, KernelMemory, Collection, Compiling, Locks, Scheduling, SystemCalls, Application,
		WaitingDisk, WaitingNetwork, WaitingMemory, WaitingParked, WaitingIdle, Unattributed}
}

// symbolRule says of which functions a category consists. Patterns are names, with a * for anything wherever it stands.
type symbolRule struct {
	category  Name
	whole     bool        // wherever on the stack, before what is innermost
	in        whereabouts // where its functions are
	threads   []string    // names of threads: all that they do
	modules   []string    // that its functions must be in; of a rule without functions, all that is in them
	functions []string
}

// whereabouts is where a frame is.
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

// matches tells whether a name is what a pattern means: what stands between its stars, in that order.
func matches(pattern, name string) bool {
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

// holds tells whether a rule says something of a frame.
func (r symbolRule) holds(f record.Frame) bool {
	if len(r.modules) == 0 && len(r.functions) == 0 || placeOfFrame(f) != r.in {
		return false
	}
	return (len(r.modules) == 0 || matchesAny(r.modules, f.Module)) && (len(r.functions) == 0 || named(f) && matchesAny(r.functions, plainName(f)))
}

// named tells whether a frame's function is known. Profilers put what they could not walk into brackets.
func named(f record.Frame) bool { return f.Function != "" && !strings.HasPrefix(f.Function, "[") }

// plainName is a function's name without what compilers and profilers add: Java's packages have dots, and what a compiler made of one function
// (such as .isra.0) is that function.
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

// sorter applies rules, and keeps what they say of a frame: a profile has few frames and many stacks.
type sorter struct {
	rules  []symbolRule
	frames map[record.Frame]frameRules
}

// frameRules is what the rules say of one frame.
type frameRules struct {
	whole int  // the first rule of whole stacks that holds; the number of all where none does
	own   Name // "" where no other rule does
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

// of is the category of a stack: a rule that holds for whole stacks first, in their order, else the first frame, from the innermost one outward, of which a
// rule says something. A stack that is in the kernel is judged by its kernel frames alone. It is "" where no rule says anything.
func (s sorter) of(st record.Stack) Name {
	first := len(s.rules)
	for i, r := range s.rules {
		if st.Thread != "" && matchesAny(r.threads, st.Thread) {
			first = i
			break
		}
	}
	for _, f := range st.Frames {
		first = min(first, s.frame(f).whole)
	}
	if first < len(s.rules) {
		return s.rules[first].category
	}
	for _, f := range upToBoundary(st.Frames) {
		if own := s.frame(f).own; own != "" {
			return own
		}
	}
	return ""
}

// upToBoundary leaves out who called the kernel: what the kernel does is not what the caller is.
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

// cpu is what a stack's CPU time went to, where no rule says something too: what is left of the kernel is system calls, and what is left of
// programs is the application's, where a frame beside those that every thread begins with has a name.
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

// roots begin every thread, and say nothing of what it does.
func roots() []string {
	return []string{"_start", "__libc_start_*", "start_thread", "clone", "clone3", "__clone*", "thread_start", "java.lang.Thread.run*", "thread_native_entry*", "runtime.goexit*", "runtime.mstart*", "runtime.rt0_go*"}
}
