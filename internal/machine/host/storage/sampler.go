package storage

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/pulse"
)

// Step is the time between two samples of the block devices while a trial is measured.
const Step = 100 * time.Millisecond

// Sampler reads the counters of the machine's disks at a fixed step. A sample costs
// about 20 µs of CPU (BenchmarkDiskSample) and allocates nothing while there is room for it.
type Sampler struct {
	names      []string
	step       time.Duration
	disks, cpu *os.File
	buf        []byte
	now        []Counters
	tl         Timeline
	broken     error
	remove     func() // from the pulse; nil: not started
}

// Timeline holds the counters since boot at each instant: the activity between two of them is their
// difference.
type Timeline struct {
	Devices []string
	AtNs    []int64      // CLOCK_MONOTONIC
	Iowait  []uint64     // ticks of all CPUs together that waited for a disk
	CPU     []uint64     // ticks of all CPUs together, whatever they did
	Disks   [][]Counters // of each device
	CostS   float64      // CPU seconds that sampling took
}

// diskBuf holds the lines of about 100 devices; more are read all the same.
const diskBuf = 16 << 10

// NewSampler prepares a sampler, every step, of the disks that have a device, and of the loop devices that the path
// data lies on, with room for that time. The error is hostfs.NotHere if there is none, or no /proc/diskstats.
func NewSampler(root hostfs.Root, step, room time.Duration, data string) (*Sampler, error) {
	s := &Sampler{step: step, names: loopsFirst(root, diskNames(root), data), buf: make([]byte, diskBuf)}
	if len(s.names) == 0 {
		return nil, fmt.Errorf("disks in %s: %w", root.SysPath("block"), os.ErrNotExist)
	}
	var err error
	if s.disks, err = os.Open(root.ProcPath("diskstats")); err != nil {
		return nil, err
	}
	if s.cpu, err = os.Open(root.ProcPath("stat")); err != nil {
		s.disks.Close()
		return nil, err
	}
	s.now = make([]Counters, len(s.names))
	samples := int(room/step) + 64
	s.tl = Timeline{
		Devices: s.names, AtNs: make([]int64, 0, samples), Iowait: make([]uint64, 0, samples), CPU: make([]uint64, 0,
			samples),
		Disks: make([][]Counters, len(s.names)),
	}
	for i := range s.tl.Disks {
		s.tl.Disks[i] = make([]Counters, 0, samples)
	}
	return s, nil
}

// diskNames returns the drives that hardware, or a hypervisor's idea of it, stands behind. Layers
// on top of them (partitions, md, device mapper) would count each I/O twice.
func diskNames(root hostfs.Root) []string {
	entries, _ := os.ReadDir(root.SysPath("block"))
	var out []string
	for _, e := range entries {
		if hostfs.IsDir(root.SysPath("block", e.Name(), "device")) {
			out = append(out, e.Name())
		}
	}
	return out
}

// loopsFirst puts the loop devices that the path data lies on in the place of the drives below their files, which move
// the same bytes once more: a loop device may have limits of its own.
func loopsFirst(root hostfs.Root, drives []string, data string) []string {
	where, err := Of(root, data)
	if err != nil {
		return drives
	}
	var loops []string
	for _, name := range where.Disks {
		file, err := hostfs.ReadText(root.SysPath("block", name, "loop/backing_file"))
		if err != nil {
			continue
		}
		loops = append(loops, name)
		if below, err := Of(root, file); err == nil {
			drives = slices.DeleteFunc(drives, func(d string) bool { return slices.Contains(below.Disks, d) })
		}
	}
	return append(loops, drives...)
}

// Start takes the first sample, and others at beats of a pulse until Stop.
func (s *Sampler) Start(p *pulse.Pulse) {
	cputime.OnThread(s.sample)
	s.remove = p.Every(s.step, s.sample)
}

// Stop takes the last sample, if it was started, ends the sampler and returns the timeline, with an error if a sample
// failed.
func (s *Sampler) Stop() (Timeline, error) {
	if s.remove != nil {
		s.remove()
		cputime.OnThread(s.last)
	}
	return s.tl, errors.Join(s.broken, s.disks.Close(), s.cpu.Close())
}

// last takes the last sample. A step that is too short to make a rate of becomes part of the one before.
func (s *Sampler) last() {
	s.sample()
	n := len(s.tl.AtNs)
	if n < 3 || s.tl.AtNs[n-1]-s.tl.AtNs[n-2] >= int64(s.step)/2 {
		return
	}
	s.tl.AtNs = cutBefore(s.tl.AtNs)
	s.tl.Iowait, s.tl.CPU = cutBefore(s.tl.Iowait), cutBefore(s.tl.CPU)
	for i := range s.tl.Disks {
		s.tl.Disks[i] = cutBefore(s.tl.Disks[i])
	}
}

// cutBefore removes the last but one.
func cutBefore[T any](x []T) []T {
	n := len(x)
	x[n-2] = x[n-1]
	return x[:n-1]
}

// sample takes one sample. One that fails is left out, and its first error kept.
func (s *Sampler) sample() {
	began, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
	if err := s.read(); err != nil && s.broken == nil {
		s.broken = err
	}
	ended, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
	s.tl.CostS += ended - began
}

func (s *Sampler) read() error {
	n, err := s.fill(s.cpu, len(s.buf)/64)
	if err != nil {
		return err
	}
	ticks, err := parseCPULine(s.buf[:n])
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(s.cpu.Name()), err)
	}
	if n, err = s.fill(s.disks, len(s.buf)); err != nil {
		return err
	}
	for n == len(s.buf) {
		s.buf = make([]byte, 2*len(s.buf))
		if n, err = s.fill(s.disks, len(s.buf)); err != nil {
			return err
		}
	}
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &at); err != nil {
		return err
	}
	if err := parseDiskstats(s.buf[:n], s.names, s.now); err != nil {
		return err
	}
	s.tl.AtNs = append(s.tl.AtNs, at.Nano())
	s.tl.Iowait, s.tl.CPU = append(s.tl.Iowait, ticks.iowait), append(s.tl.CPU, ticks.total)
	for i, c := range s.now {
		s.tl.Disks[i] = append(s.tl.Disks[i], c)
	}
	return nil
}

// fill reads a file from its beginning, at most so many bytes.
func (s *Sampler) fill(f *os.File, most int) (int, error) {
	n, err := f.ReadAt(s.buf[:most], 0)
	if err == io.EOF {
		err = nil
	}
	return n, err
}
