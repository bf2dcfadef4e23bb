package asyncprofiler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// sampler is the profiler in one or more Java virtual machines.
type sampler struct {
	ctx      context.Context
	library  string
	scratch  string
	machines []machine
	period   int64
	clock    string
}

// Attach implements engine.Profiler: it loads the library, which takes a while, and does not sample yet. If a
// machine cannot be attached to, it returns an error, and none is sampled.
func (Profiler) Attach(ctx context.Context, in engine.Install, s engine.Sampling) (engine.Sampler, error) {
	r := &sampler{ctx: ctx, library: in.Path, scratch: s.Scratch, period: s.PeriodNs, clock: record.ClockCPU}
	if !kernelSamples() {
		r.clock = record.ClockTimer
	}
	for _, pid := range s.Pids {
		m, err := attach(ctx, pid)
		if err == nil {
			err = m.load(ctx, r.library, "status,file="+r.path(m, "status"))
		}
		r.machines = append(r.machines, m)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// kernelSamples reports whether the kernel lets a process sample itself, including its time in the kernel.
func kernelSamples() bool {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK,
		Size: unix.PERF_ATTR_SIZE_VER0, Sample: 1_000_000,
		Bits: unix.PerfBitDisabled}
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return false
	}
	return unix.Close(fd) == nil
}

func (r *sampler) path(m machine, what string) string {
	return filepath.Join(r.scratch, fmt.Sprintf("async-%d.%s", m.pid, what))
}

// each sends every machine the same command; the error includes the library's log.
func (r *sampler) each(options func(machine) string) error {
	var errs []error
	for _, m := range r.machines {
		logged := r.path(m, "log")
		err := m.load(r.ctx, r.library, options(m)+",log="+logged)
		if text, _ := os.ReadFile(logged); err != nil && len(text) > 0 {
			err = fmt.Errorf("%w: %.300s", err, strings.TrimSpace(string(text)))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Begin implements engine.Sampler.
func (r *sampler) Begin() error {
	event := "cpu" // the kernel's timer, with kernel frames
	if r.clock == record.ClockTimer {
		event = "ctimer"
	}
	return r.each(func(machine) string {
		return fmt.Sprintf("start,event=%s,interval=%d,cstack=vm,threads", event, r.period)
	})
}

// End implements engine.Sampler.
func (r *sampler) End() error {
	return r.each(func(m machine) string { return "stop,file=" + r.path(m, "stopped") })
}

// CPUSeconds implements engine.Sampler: it works within the Java virtual machines.
func (r *sampler) CPUSeconds() float64 { return 0 }

// Close implements engine.Sampler. The library stays loaded as long as the machine lives.
func (r *sampler) Close() error {
	errs := list.Map(r.machines, func(m machine) error { return m.forget() })
	return errors.Join(errs...)
}

// Samples implements engine.Sampler.
func (r *sampler) Samples(ctx context.Context) (engine.Samples, error) {
	out := engine.Samples{Clock: r.clock, PeriodNs: r.period}
	r.ctx = ctx
	if err := r.each(func(m machine) string {
		return "dump,collapsed,threads,ann,lib,norm,file=" + r.path(m, "collapsed")
	}); err != nil {
		return out, err
	}
	for _, m := range r.machines {
		f, err := os.Open(r.path(m, "collapsed"))
		if err != nil {
			return out, fmt.Errorf("%s: read its samples: %w", name, err)
		}
		stacks, err := parseCollapsed(f)
		f.Close()
		if err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
		for i := range stacks {
			stacks[i].Pid = m.pid
		}
		out.Stacks = append(out.Stacks, stacks...)
	}
	return out, nil
}
