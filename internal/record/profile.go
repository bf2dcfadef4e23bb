package record

// Profile is where time went during a trial's measured window, by samples of stacks.
type Profile struct {
	Clock    string  // what asked for the samples: Clock*
	PeriodNs int64   // the time that one sample stands for: of ProfileCPU, of one CPU; of ProfileWait, of one thread that waits
	Stacks   []Stack // each stack of each thread once
}

// Stack is a stack that was found, and how often.
type Stack struct {
	Frames []Frame // the innermost first; none where it could not be walked
	Thread string  // the thread's name; "" where it is not known
	N      int64   // samples
}

// Frame is one function of a stack.
type Frame struct {
	Function string // "" where there are no symbols
	Module   string // base name of the file that it is mapped from, such as libcrypto.so.3, or one of Module*; "" where it is not known
}

// Name is what a frame is called; one without symbols after its file, as other programs do.
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

// Shown are the frames, or one that says that there are none.
func (s Stack) Shown() []Frame {
	if len(s.Frames) == 0 {
		return []Frame{{Function: "[not walked]"}}
	}
	return s.Frames
}

// The modules that are no files.
const (
	ModuleKernel = "[kernel]"
	ModuleJava   = "[java]" // Java methods, whether interpreted or compiled; the runtime itself is libjvm.so
)

// What asks for samples.
const (
	ClockCycles = "cycles"    // hardware: each so many cycles
	ClockCPU    = "cpu-clock" // the kernel's timer of each CPU
	ClockTimer  = "itimer"    // the process's own timer of CPU time
	ClockWall   = "wall"      // the time of day: threads are looked at whether they run or not
)

// The series that hold profiles, of trials that are Trial.Profiled.
const (
	ProfileCPU  = "profile.cpu"  // the CPU time charged to the work
	ProfileWait = "profile.wait" // its threads that wait, with the kernel's stack, innermost first, or what the kernel says that they wait in
)

// ProfileDoubt begins what is said of a profile among the doubts of its trial.
const ProfileDoubt = "profile: "

// Samples is how many there are.
func (p Profile) Samples() int64 {
	n := int64(0)
	for _, s := range p.Stacks {
		n += s.N
	}
	return n
}
