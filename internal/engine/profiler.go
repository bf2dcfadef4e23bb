package engine

import (
	"context"

	"plimsoll/internal/record"
)

// Findable is what can be here, and maybe be set up (see Setup): an Engine, or a Profiler.
type Findable interface {
	Name() string
	Doc() string
	Params() []record.Param
	Find(context.Context, Params) (Install, error)
}

// Profiler takes samples of what others have started: it is no server, and attaches to processes.
type Profiler interface {
	Findable
	// Able says why it could sample nothing here, such as for the kernel's settings, with what to set; nil where it can. It leaves no trace.
	Able(Install) error
	// Attach gets ready to sample. After an error nothing of it is left.
	Attach(context.Context, Install, Sampling) (Sampler, error)
}

// Sampling is what a profiler is told.
type Sampling struct {
	Pids     []int  // whose threads are sampled, with those of all that they start; where the profiler sees the whole machine, its samples are of others too
	Tids     []int  // threads of this process, in the place of these
	PeriodNs int64  // CPU time between two samples of a CPU
	Scratch  string // a directory that every user may enter
}

// Sampler is attached, and samples between Begin and End. Its methods are called in the order Begin, End, Samples,
// Close, and CPUSeconds at any time; Close also after any error.
type Sampler interface {
	Begin() error
	End() error
	// Samples are what it found.
	Samples(context.Context) (Samples, error)
	// CPUSeconds is what processes of its own have used so far, 0 where it has none.
	CPUSeconds() float64
	// Close ends what it started; idempotent.
	Close() error
}

// Samples are what a sampler found.
type Samples struct {
	Clock    string // record.Clock*
	PeriodNs int64
	Stacks   []Sampled
	Parents  map[int]int // of processes that were born meanwhile, as far as it is known: who started them
	Own      []int       // processes of the profiler itself
	Doubts   []string
}

// Sampled is a stack of one thread, and how often it was found.
type Sampled struct {
	Pid, Tid int
	record.Stack
}
