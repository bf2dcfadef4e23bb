package agent

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// counted returns the values of a workload that leaves them to the load generator: throughput in the unit of its
// primary metric (op/s if that is another quantity), latency percentiles if operations were timed individually (first
// in an open loop), and the CPU time of the work.
func counted(spec workload.Spec, t record.Trial, r load.Result) []record.Value {
	rate := throughput(spec, r)
	out := []record.Value{rate}
	p50 := quantile(record.LatencyP50, r.Latency.ValueAtQuantile(50))
	p99 := quantile(record.LatencyP99, r.Latency.ValueAtQuantile(99))
	switch {
	case t.Load.Kind == record.Open:
		rate.Better = record.Neutral // it was offered, not achieved: the result is the latency
		out = []record.Value{p99, p50, rate}
	case t.Load.Unit == record.ParamClients:
		out = append(out, p50, p99)
	}
	if t.CPU != nil && t.CPU.WindowS > 0 && r.OpsPerSecond > 0 && t.CPU.Work > 0 {
		out = append(out, perOperation(t, r))
	}
	// A generator that waits for a point in time spins, so its CPU time is meaningful in closed loops only.
	if spec.Whole && t.Load.Kind == record.Closed && t.CPU != nil && t.CPU.WindowS > 0 && r.OpsPerSecond > 0 {
		out = append(out, record.Value{
			Metric: record.Metric{Name: record.GeneratorCPUPerOp, Unit: "s", Better: record.Neutral},
			Value:  t.CPU.Generator / t.CPU.WindowS / r.OpsPerSecond,
		})
	}
	return slices.Concat(out, cpuShares(spec, t), packets(spec, t, r))
}

func throughput(spec workload.Spec, r load.Result) record.Value {
	m := record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}
	if p := spec.Metrics[0]; p.Name == record.Throughput {
		m.Unit = p.Unit
	}
	if m.Unit == "B/s" {
		return record.Value{Metric: m, Value: r.BytesPerSecond}
	}
	return record.Value{Metric: m, Value: r.OpsPerSecond}
}

func quantile(name string, ns int64) record.Value {
	return record.Value{Metric: record.Metric{Name: name, Unit: "s", Better: record.Lower}, Value: float64(ns) * 1e-9}
}

// cpuShares returns how busy each side kept its CPUs, in %. The lanes of a kernel use all of theirs by design, which
// says nothing.
func cpuShares(spec workload.Spec, t record.Trial) []record.Value {
	if t.CPU == nil || t.CPU.WindowS <= 0 || spec.Charge != workload.Started {
		return nil
	}
	share := func(name string, used float64, cpus int) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: "%", Better: record.Neutral},
			Value: 100 * used / (t.CPU.WindowS * float64(cpus))}
	}
	generator := share(record.GeneratorCPU, t.CPU.Generator, t.CPU.GeneratorCPUs)
	if t.CPU.Source == record.ChargedNone {
		return []record.Value{generator} // an external server is not idle
	}
	used := t.CPU.Work
	if t.CPU.Split {
		used -= t.CPU.Behind // what the server is connected to is not kept to the server's CPUs
	}
	return []record.Value{share(record.CPUPercent, used, t.CPU.CPUs), generator}
}

// packets returns the packets of a server's network. That of a server elsewhere is unknown, and other work has none.
func packets(spec workload.Spec, t record.Trial, r load.Result) []record.Value {
	if !spec.Serves || t.CPU == nil || t.CPU.Source == record.ChargedNone {
		return nil
	}
	return t.Network.PacketValues(t.CPU.WindowS, r.OpsPerSecond)
}

// perOperation divides CPU seconds a second by operations a second, because the CPU is metered over the planned window
// but operations over the lanes' own time, which long operations make longer.
func perOperation(t record.Trial, r load.Result) record.Value {
	return record.Value{
		Metric: record.Metric{Name: record.CPUPerOp, Unit: "s", Better: record.Lower},
		Value:  t.CPU.Work / t.CPU.WindowS / r.OpsPerSecond,
	}
}

// use returns how the generator kept up.
func use(s *side, r load.Result) *record.LoadUse {
	if s.trial.Load.Kind == record.Once {
		return nil
	}
	u := record.LoadUse{Done: r.Ops, Bytes: r.Bytes, Offered: r.Offered, BacklogStart: r.BacklogStart,
		BacklogEnd: r.BacklogEnd, HeldS: s.spec.HeldS(s.params, s.trial.Load), ControlP99: s.control}
	for class, n := range r.Errors {
		if u.ErrorsBy == nil {
			u.ErrorsBy = map[string]int64{}
		}
		u.ErrorsBy[class.String()] = n
		u.Errors += n
	}
	if (s.trial.Load.Kind == record.Open || s.trial.Load.Unit == record.ParamClients) && r.Latency != nil &&
		r.Latency.TotalCount() > 0 {
		u.Latency = session.Distribution(r.Latency)
	}
	if d, ok := s.driver.(workload.Answerer); ok {
		a := d.Answers()
		u.Statuses, u.Handshakes, u.Resumed, u.Targets = a.Statuses, a.Handshakes, a.Resumed, a.Targets
	}
	if f, ok := s.driver.(workload.Failer); ok {
		u.First = firstError(f.First())
	}
	u.Unanswered, u.Stale, u.Unsent = r.Unanswered, r.Stale, r.Outstanding-r.Unanswered
	if s.trial.Load.Kind == record.Closed {
		u.Offered, u.Unsent = u.Done+u.Errors+u.Unanswered, 0
	}
	if s.trial.Load.Kind == record.Closed && s.trial.Load.Unit == record.ParamClients {
		u.InFlight, u.Accounted, u.Crossing = r.InFlight, r.Accounted(), r.Crossing
		u.Starved, u.Clients = r.Starved, int64(s.trial.Load.Level)
	}
	if r.SendLag != nil {
		u.SendLagP99 = float64(r.SendLag.ValueAtQuantile(99)) * 1e-9
		u.LateS = session.Distribution(r.Late)
	}
	if s.spec.Charge == workload.Started && s.trial.CPU != nil && s.trial.CPU.WindowS > 0 {
		u.Ends = s.spec.Ends && s.trial.Load.Kind == record.Closed
		u.Useful = max(0, s.trial.CPU.Generator-r.Spun) / (s.trial.CPU.WindowS * float64(s.busiest()))
	}
	return &u
}

// firstBytes bounds the text of an error in a trial's line.
const firstBytes = 600

func firstError(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if len(text) > firstBytes {
		text = strings.ToValidUTF8(text[:firstBytes], "") + "…"
	}
	return text
}

// busiest returns how many CPUs the generator can use at once: one a lane, or all that it has.
func (s *side) busiest() int {
	if s.spec.Whole {
		return s.trial.CPU.GeneratorCPUs
	}
	return min(s.lanes, s.trial.CPU.GeneratorCPUs)
}

// controlTime is how long the spin-only control runs before an open loop.
const controlTime = 200 * time.Millisecond

// controlRate bounds the control's arrivals, per second: above it a spinner's lateness is the cost of the clock itself.
const controlRate = 20_000

// measureControl runs the spin-only control if the load has a schedule.
func (s *side) measureControl(seed uint64) {
	if s.trial.Load.Kind != record.Open {
		return
	}
	rate := min(max(s.trial.Load.Level, 1000), controlRate)
	h, err := load.SpinControl(controlTime, rate, seed)
	if err != nil {
		s.doubt("no spin-only control: " + err.Error())
		return
	}
	s.control = float64(h.ValueAtQuantile(99)) * 1e-9
	s.histogram("send_lag_control", h)
}

// bulk records the trial's series.
func (s *side) bulk(r load.Result) {
	if s.trial.Load.Kind == record.Once {
		return
	}
	s.windows("ops", "op", r.Windows.StepNs, r.Windows.Ops)
	if r.Bytes > 0 {
		s.windows("bytes", "B", r.Windows.StepNs, r.Windows.Bytes)
	}
	if len(r.Errors) > 0 {
		s.windows("errors", "op", r.Windows.StepNs, r.Windows.Errors)
	}
	s.histogram("latency", r.Latency)
	if r.SendLag != nil {
		s.histogram("send_lag", r.SendLag)
	}
}

func (s *side) windows(name, unit string, step int64, counts []int64) {
	data, err := session.EncodeWindows(counts)
	s.keep(record.Series{Name: name, Unit: unit, StepNs: step, Enc: record.EncWindows, Data: data}, err)
}

// heat records how a fresh server warmed up before the trial, and whether it still got faster during it.
func (s *side) heat(work any, res load.Result, w workload.Warming) {
	d, ok := work.(workload.Heater)
	if !ok {
		return
	}
	if s.trial.WarmUp = course.WarmupOf(w.Windows); s.trial.WarmUp != nil {
		s.windows(joint.HeatSeries, "op", w.StepNs, w.Ops)
	}
	if _, compiles := d.Heat(); compiles {
		s.trial.Rise = course.RiseOf(s.trial.Load, res.Windows)
	}
}

// timeline records a driver's or server's own series.
func (s *side) timeline(ctx context.Context, work any, r load.Result) {
	d, ok := work.(workload.Timeliner)
	if !ok || s.trial.Void != "" {
		return
	}
	tracks := d.Timeline(r)
	if found, ok := course.RegulationIn(tracks, s.trial.WarmupS, s.trial.Load, false); ok {
		s.trial.Regulation = s.toldApart(ctx, work, found)
	}
	for _, t := range tracks {
		if t.Spreads == nil {
			s.windows(t.Name, t.Unit, t.StepNs, t.Values)
			continue
		}
		data, err := session.EncodeSpreads(t.Spreads)
		s.keep(record.Series{Name: t.Name, Unit: t.Unit, StepNs: t.StepNs, Enc: record.EncSpread, Data: data}, err)
	}
}

func (s *side) happened(work any, r load.Result) {
	d, ok := work.(workload.Eventer)
	if !ok || s.trial.Void != "" {
		return
	}
	for _, e := range d.Events(r) {
		e.Trial = s.trial.ID
		s.events = append(s.events, e)
	}
}

func (s *side) histogram(name string, h *hdrhistogram.Histogram) {
	if h.TotalCount() == 0 {
		return
	}
	data, err := session.EncodeHistogram(h)
	s.keep(record.Series{Name: name, Unit: "ns", Enc: record.EncHistogram, Data: data}, err)
}

func (s *side) keep(series record.Series, err error) {
	if err != nil {
		s.doubt("the series " + series.Name + " is missing: " + err.Error())
		return
	}
	series.Trial = s.trial.ID
	s.series = append(s.series, series)
}
