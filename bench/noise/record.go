package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
)

// recording is pairs of runs of one command: the two runs of a pair do the same, so that what they differ by is noise.
type recording struct {
	lasts time.Duration
	load  int // busy processes besides
	turns int // of the loop of a run
}

// took is the time and the CPU time of a run, in seconds.
type took struct{ time, cpu float64 }

// The arrangements of a pair.
const (
	interleaved = "interleaved" // one run after the other, each with all CPUs
	atOnce      = "at-once"     // both runs, each with half of the CPUs; the next pair has the halves swapped
)

// to writes a line for each pair: the second of the recording, the arrangement, and the seconds and CPU seconds of
// both runs.
func (r recording) to(out io.Writer) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	halves, err := halvesOfCPUs()
	if err != nil {
		return err
	}
	for range r.load {
		busy := exec.Command(self, "busy")
		if err := busy.Start(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, busy.Process.Kill(), ended(busy.Wait())) }()
	}
	lines := bufio.NewWriter(out)
	defer func() { err = errors.Join(err, lines.Flush()) }()
	start := func(cpus string) *exec.Cmd {
		return exec.Command(self, "work", "-turns", strconv.Itoa(r.turns), "-cpus", cpus)
	}
	for begun, k := time.Now(), 0; time.Since(begun) < r.lasts; k++ {
		at := time.Since(begun).Seconds()
		a, err := one(start(""))
		if err != nil {
			return err
		}
		b, err := one(start(""))
		if err != nil {
			return err
		}
		fmt.Fprintf(lines, "%.3f\t%s\t%.6f\t%.6f\t%.6f\t%.6f\n", at, interleaved, a.time, a.cpu, b.time, b.cpu)
		at = time.Since(begun).Seconds()
		if a, b, err = both(start(halves[k%2]), start(halves[1-k%2])); err != nil {
			return err
		}
		fmt.Fprintf(lines, "%.3f\t%s\t%.6f\t%.6f\t%.6f\t%.6f\n", at, atOnce, a.time, a.cpu, b.time, b.cpu)
	}
	return nil
}

// ended returns nil for a process that was killed.
func ended(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return err
}

// one returns what a run took.
func one(c *exec.Cmd) (took, error) {
	begun := time.Now()
	err := c.Run()
	return tookOf(c, begun), err
}

// both returns what two runs took that were started at the same time.
func both(a, b *exec.Cmd) (ofA, ofB took, err error) {
	begun := time.Now()
	if err := a.Start(); err != nil {
		return took{}, took{}, err
	}
	if err := b.Start(); err != nil {
		return took{}, took{}, errors.Join(err, a.Wait())
	}
	waited := make(chan error)
	go func() {
		err := a.Wait()
		ofA = tookOf(a, begun)
		waited <- err
	}()
	err = b.Wait()
	ofB = tookOf(b, begun)
	return ofA, ofB, errors.Join(err, <-waited)
}

func tookOf(c *exec.Cmd, begun time.Time) took {
	t := took{time: time.Since(begun).Seconds()}
	if c.ProcessState != nil {
		t.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	return t
}

// halvesOfCPUs returns two lists of CPUs, each of half of those that this process may use.
func halvesOfCPUs() (halves [2]string, err error) {
	cpus, err := topology.Allowed()
	if err != nil {
		return halves, err
	}
	if len(cpus) < 2 {
		return halves, errors.New("two runs at once need two CPUs")
	}
	mid := len(cpus) / 2
	return [2]string{record.FormatCPUList(cpus[:mid]), record.FormatCPUList(cpus[mid : 2*mid])}, nil
}

// work runs a loop over 256 KiB of memory, on some CPUs unless the list is empty, and without end if turns is 0.
func work(turns int, list string) error {
	cpus, err := record.ParseCPUList(list)
	if err != nil {
		return err
	}
	if len(cpus) > 0 {
		if err := topology.PinAll(cpus); err != nil {
			return err
		}
	}
	x, memory := uint64(88172645463325252), make([]uint64, 1<<15)
	for i := 0; i < turns || turns == 0; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		memory[x&(1<<15-1)] += x
	}
	if memory[3] == 1 { // so that the loop isn't removed
		return errors.New("unlikely")
	}
	return nil
}
