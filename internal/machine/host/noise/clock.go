package noise

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/fact"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/record"
)

const (
	// ClockStep is the least time between two samples of the CPUs' clocks.
	ClockStep = 250 * time.Millisecond
	// clockShare is the most CPU time that samples take of one CPU: if one takes longer, they are rarer.
	clockShare = 0.002
	// clockCPUs is the number of CPUs sampled, evenly spread over those of the work if there are more.
	clockCPUs = 16
)

// ClockSampler samples the clocks of CPUs while a trial is measured. A sample by /proc/cpuinfo took 60 to 200 µs of CPU
// time on a virtual machine of two CPUs (BenchmarkClockSample, trials); the total is in record.Clock.
type ClockSampler struct {
	root   hostfs.Root
	cpus   []int
	sum    float64
	n      int // values in sum
	out    record.Clock
	beats  int
	pulse  *pulse.Pulse // nil: not started
	remove func()       // from it
}

// NewClockSampler prepares to sample these CPUs. The error is hostfs.NotHere if the machine has no
// clock to read.
func NewClockSampler(root hostfs.Root, cpus []int) (*ClockSampler, error) {
	s := &ClockSampler{root: root, cpus: spread(cpus, clockCPUs)}
	_, _, err := fact.Clocks(root, s.cpus)
	return s, err
}

// spread returns at most n of the values, evenly spread.
func spread(values []int, n int) []int {
	if len(values) <= n {
		return slices.Clone(values)
	}
	out := make([]int, n)
	for i := range out {
		out[i] = values[i*len(values)/n]
	}
	return out
}

// Start samples until Stop, woken by itself: some kernels sleep 10 ms for each CPU that is read (arch_freq_get_on_cpu
// of Linux 4.14 to 5.17), which on the watchdog's thread would look like a standstill. The first sample comes a step
// later: a thread that reads the clock of an idle CPU changes it.
func (s *ClockSampler) Start() {
	s.pulse = pulse.Start(ClockStep)
	s.remove = s.pulse.Every(ClockStep, s.beat)
}

// beat takes a sample, unless those so far have taken more than their share.
func (s *ClockSampler) beat() {
	s.beats++
	if s.out.CostS <= clockShare*ClockStep.Seconds()*float64(s.beats) {
		s.sample()
	}
}

// sample takes one sample. A sample that fails, as of a CPU that has gone offline, counts for nothing.
func (s *ClockSampler) sample() {
	began, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
	if mhz, source, err := fact.Clocks(s.root, s.cpus); err == nil {
		s.add(mhz, source)
	}
	ended, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
	s.out.CostS += ended - began
}

func (s *ClockSampler) add(mhz []float64, source string) {
	for _, f := range mhz {
		s.sum += f
	}
	s.n += len(mhz)
	slowest := slices.Min(mhz)
	if s.out.Samples == 0 || slowest < s.out.MinMHz {
		s.out.MinMHz = slowest
	}
	s.out.Samples++
	s.out.Source = source
}

// Stop ends the sampler and returns the clocks of the time since Start; false if it was too short for a sample.
func (s *ClockSampler) Stop() (record.Clock, bool) {
	if s.pulse != nil {
		s.remove()
		s.pulse.Stop()
	}
	if s.out.Samples == 0 {
		return record.Clock{}, false
	}
	s.out.CPUs, s.out.MeanMHz = len(s.cpus), s.sum/float64(s.n)
	return s.out, true
}
