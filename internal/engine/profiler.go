package engine

import (
	"context"

	"plimsoll/internal/record"
)

// Findable is an Engine or a Profiler, which can be found here, and possibly set up (see Setup).
type Findable interface {
	Name() string
	Doc() string
	Params() []record.Param
	Find(context.Context, Params) (Install, error)
}

// Profiler samples processes started by others: it is no server, and attaches to them.
type Profiler interface {
	Findable
	// Able returns an error, with the setting to change, if it could sample nothing here, for instance because of
	// the kernel's settings. It leaves no trace.
	Able(Install) error
	// Attach prepares for sampling. After an error nothing of it is left.
	Attach(context.Context, Install, Sampling) (Sampler, error)
}

// Sampling is a profiler's task.
type Sampling struct {
	Pids     []int  // to sample, with all descendants; the profiler may see the whole machine, others included
	Tids     []int  // threads of this process, instead of Pids
	PeriodNs int64  // CPU time between two samples of a CPU
	Scratch  string // a directory that every user may enter
}

// Sampler is attached, and samples between Begin and End. Its methods are called in the order Begin, End, Samples,
// Close, and CPUSeconds at any time; Close also after any error.
type Sampler interface {
	Begin() error
	End() error
	// Samples returns the samples.
	Samples(context.Context) (Samples, error)
	// CPUSeconds returns the CPU time of its own processes so far, 0 if it has none.
	CPUSeconds() float64
	// Close ends everything it started; idempotent.
	Close() error
}

// Samples are the result of a sampler.
type Samples struct {
	Clock    string // record.Clock*
	PeriodNs int64
	Stacks   []Sampled
	Parents  map[int]int // of processes born meanwhile, as far as known: their parents
	Own      []int       // processes of the profiler itself
	Doubts   []string
}

// Sampled is a stack of one thread, and its number of samples.
type Sampled struct {
	Pid, Tid int
	record.Stack
}
