package record

import (
	"math"
	"strings"
)

// Profile is the distribution of time during a trial's measured window, from samples of stacks.
type Profile struct {
	Clock string // trigger of the samples: Clock*
	// Time that one sample stands for: CPU time in ProfileCPU, time of one waiting thread in ProfileWait.
	PeriodNs int64
	Stacks   []Stack // each distinct stack of each thread once
}

// Stack is a sampled stack and its count.
type Stack struct {
	Frames []Frame // innermost first; none if it could not be walked
	Thread string  // thread name; "" if unknown
	N      int64   // samples
}

// Frame is one function of a stack.
type Frame struct {
	Function string // "" without symbols
	Module   string // base name of the mapped file, such as libcrypto.so.3, or one of Module*; "" if unknown
	Code     string // of a stack's innermost Java method: one of Interpreted, Compiled, Compiled1, Inlined; "" if unknown
}

// The kinds of code that a Java method runs as.
const (
	Interpreted = "interpreted"
	Compiled    = "compiled"
	Compiled1   = "compiled by C1"
	Inlined     = "inlined"
)

// Name returns the frame's name: without symbols that of its file, as in other programs.
func (f Frame) Name() string {
	switch {
	case f.Function != "":
		return f.Function
	case f.Module == "":
		return "[unknown]"
	case f.Module[0] == '[':
		return f.Module
	}
	return "[" + f.Module + "]"
}

// codes returns the endings of Java methods by async-profiler's convention, and the kinds of code that they stand for.
func codes() [][2]string {
	return [][2]string{{"_[j]", Compiled}, {"_[i]", Inlined}, {"_[0]", Interpreted}, {"_[1]", Compiled1}}
}

// CutCode returns a Java method's name without the ending that tells its kind of code; false without one.
func CutCode(name string) (method, code string, ok bool) {
	for _, c := range codes() {
		if method, ok := strings.CutSuffix(name, c[0]); ok {
			return method, c[1], true
		}
	}
	return name, "", false
}

// SystemName returns the function with the ending of its kind of code, the inverse of CutCode.
func (f Frame) SystemName() string {
	for _, c := range codes() {
		if f.Code == c[1] {
			return f.Function + c[0]
		}
	}
	return f.Function
}

// Shown returns the frames, or a placeholder if there are none.
func (s Stack) Shown() []Frame {
	if len(s.Frames) == 0 {
		return []Frame{{Function: "[not walked]"}}
	}
	return s.Frames
}

// The modules that are not files.
const (
	ModuleKernel = "[kernel]"
	ModuleJava   = "[java]" // Java methods, whether interpreted or compiled; the runtime itself is libjvm.so
)

// ContendedMutex is the kernel's function in the frame above those of a futex whose value tells that it is a mutex with
// waiters.
const ContendedMutex = "futex of a contended mutex"

// The triggers of samples.
const (
	ClockCycles = "cycles"    // hardware: every so many cycles
	ClockCPU    = "cpu-clock" // the kernel's timer of each CPU
	ClockTimer  = "itimer"    // the process's own timer of CPU time
	ClockWall   = "wall"      // wall clock: threads are sampled whether they run or not
)

// The series that hold profiles, of trials with RoleProfile.
const (
	ProfileCPU = "profile.cpu" // the CPU time charged to the work
	// Its waiting threads, with the kernel's stack, innermost first, or the kernel's name for the wait.
	ProfileWait = "profile.wait"
)

// OutputDoubt is the prefix of a doubt about what was read of a command's output.
const OutputDoubt = "its output: "

// CleanupDoubt is the prefix of the doubt that what was to be run after a trial failed.
const CleanupDoubt = "cleaning up failed: "

// ProfileDoubt is the prefix of doubts about a profile among those of its trial.
const ProfileDoubt = "profile: "

// Samples returns the number of samples.
func (p Profile) Samples() int64 {
	n := int64(0)
	for _, s := range p.Stacks {
		n += s.N
	}
	return n
}

// StackSum accumulates samples so that each stack of each thread occurs once, in order of first occurrence.
type StackSum struct {
	Stacks []Stack
	at     map[string]int
}

// Add adds n samples of a stack.
func (s *StackSum) Add(k Stack, n int64) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	key := k.key()
	i, ok := s.at[key]
	if !ok {
		i = len(s.Stacks)
		s.at[key] = i
		s.Stacks = append(s.Stacks, Stack{Frames: k.Frames, Thread: k.Thread})
	}
	s.Stacks[i].N += n
}

// key returns a key that is unique for the frames and the thread: names contain neither separator byte.
func (s Stack) key() string {
	size := len(s.Thread)
	for _, f := range s.Frames {
		size += len(f.Function) + len(f.Module) + len(f.Code) + len("\x00\x01\x01")
	}
	b := append(make([]byte, 0, size), s.Thread...)
	for _, f := range s.Frames {
		b = append(append(b, 0), f.Function...)
		b = append(append(b, 1), f.Module...)
		b = append(append(b, 1), f.Code...)
	}
	return string(b)
}

// InPeriod converts n samples of one period, in ns, to the number of another period that stands for the same time,
// rounded and at least 1.
func InPeriod(n, period, other int64) int64 {
	if period == other || other <= 0 {
		return n
	}
	return max(1, (n*period+other/2)/other)
}

// MergeProfiles merges profiles; the result has the clock of the first. Each sample is weighted by its period over the
// smallest one, rounded and at least 1, because with hardware cycles each trial has its own period. The period of the
// result keeps the total time the same.
func MergeProfiles(all []Profile) Profile {
	if len(all) == 1 && all[0].PeriodNs > 0 && all[0].Samples() > 0 {
		return all[0]
	}
	var out Profile
	least, total := int64(math.MaxInt64), 0.0
	for _, p := range all {
		least = min(least, max(p.PeriodNs, 1))
		total += float64(p.Samples()) * float64(p.PeriodNs)
	}
	var sum StackSum
	for _, p := range all {
		for _, s := range p.Stacks {
			sum.Add(s, InPeriod(s.N, p.PeriodNs, least))
		}
	}
	out.Stacks = sum.Stacks
	if n := out.Samples(); n > 0 {
		out.Clock, out.PeriodNs = all[0].Clock, int64(math.Round(total/float64(n)))
	}
	return out
}

// Shortened returns the profile with only the innermost depth functions of each stack seen at most rare times; stacks
// that become equal are merged.
func (p Profile) Shortened(rare int64, depth int) Profile {
	var sum StackSum
	for _, s := range p.Stacks {
		if s.N <= rare && len(s.Frames) > depth {
			s.Frames = s.Frames[:depth:depth]
		}
		sum.Add(s, s.N)
	}
	return Profile{Clock: p.Clock, PeriodNs: p.PeriodNs, Stacks: sum.Stacks}
}
