package agent

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"

	"github.com/google/pprof/profile"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// ownSampler samples the lanes of this process if there is no perf: runtime/pprof, driven by the process's CPU timer,
// without the kernel part of stacks.
type ownSampler struct {
	buf     bytes.Buffer
	running bool
}

// ownPeriodNs is the period of runtime/pprof.
const ownPeriodNs = 10_000_000

// Begin implements engine.Sampler.
func (o *ownSampler) Begin() error {
	if err := pprof.StartCPUProfile(&o.buf); err != nil {
		return fmt.Errorf("sample this process: %w", err)
	}
	o.running = true
	return nil
}

// End implements engine.Sampler.
func (o *ownSampler) End() error {
	pprof.StopCPUProfile()
	return nil
}

// CPUSeconds implements engine.Sampler.
func (o *ownSampler) CPUSeconds() float64 { return 0 }

// Close implements engine.Sampler.
func (o *ownSampler) Close() error {
	if o.running {
		pprof.StopCPUProfile()
		o.running = false
	}
	return nil
}

// Samples implements engine.Sampler. It returns the samples of labelled goroutines only.
func (o *ownSampler) Samples(context.Context) (engine.Samples, error) {
	out := engine.Samples{Clock: record.ClockTimer, PeriodNs: ownPeriodNs}
	p, err := profile.Parse(&o.buf)
	if err != nil {
		return out, fmt.Errorf("read the samples of this process: %w", err)
	}
	exe, err := os.Executable()
	if err != nil {
		return out, err
	}
	module := filepath.Base(exe)
	for _, s := range p.Sample {
		if len(s.Label[ownLabel]) == 0 {
			continue
		}
		k := engine.Sampled{Stack: record.Stack{N: s.Value[0]}}
		for _, l := range s.Location {
			for _, line := range l.Line {
				if line.Function != nil {
					k.Frames = append(k.Frames, record.Frame{Function: line.Function.Name, Module: module})
				}
			}
		}
		out.Stacks = append(out.Stacks, k)
	}
	out.Doubts = []string{"stacks lack their kernel part, because Go's own profiler took the samples\nhint: " +
		"plimsoll setup perf"}
	return out, nil
}

// keep records a profile as a series of the side. If it is too large, its rarest stacks lose their outer frames, which
// becomes a doubt.
func (p *sideProfile) keep(name, unit string, profile record.Profile) {
	data, err := session.EncodeProfile(profile)
	for _, less := range []struct {
		rare  int64
		depth int
	}{{1, 32}, {1, 16}, {3, 8}, {30, 8}, {1 << 62, 8}, {1 << 62, 2}} {
		if err == nil {
			break
		}
		short := profile.Shortened(less.rare, less.depth)
		if data, err = session.EncodeProfile(short); err == nil {
			p.doubt(fmt.Errorf("%s is too large: stacks seen at most %d times keep their innermost %d functions only", name,
				less.rare, less.depth))
		}
	}
	p.side.keep(record.Series{Name: name, Unit: unit, Enc: record.EncProfile, Data: data}, err)
}
