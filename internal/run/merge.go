package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// merged merges the target's half and the parts of the sources into one trial. Latencies are of all requests together,
// rates are sums, and CPU use and the ledger are the target's; CPU time is that of all hosts of a cluster.
func (c *concert) merged() (record.Trial, error) {
	c.withMembers()
	o, t := c.order, c.target
	t.Load, t.WarmupS, t.Regulation = o.Sides[0].Load, c.parts[0].trial.WarmupS, cmp.Or(c.regulation, t.Regulation)
	t.Keys = maps.Clone(c.target.Keys)
	t.Generator = &record.LoadUse{}
	t.DurationS, t.Sources = 0, nil
	for i, part := range c.parts {
		p := part.trial
		for k, v := range p.Keys {
			if _, ours := t.Keys[k]; !ours {
				t.Keys[k] = v
			}
		}
		if why := cmp.Or(p.Void, trialset.StoodStill(p)); why != "" && t.Void == "" {
			t.Void = fmt.Sprintf("generator %q: %s", o.Sources[i], why)
		}
		t.Ledger = withGaps(t.Ledger, p.Ledger)
		t.DurationS += p.DurationS / float64(len(c.parts))
		addUse(t.Generator, p.Generator)
		t.Sources = append(t.Sources, part.clock)
	}
	t.Doubts = append(t.Doubts, c.doubts()...)
	quantiles, err := c.quantiles()
	if err != nil {
		return t, err
	}
	for i := range t.Generator.Targets {
		of := &t.Generator.Targets[i]
		of.P50, of.P99 = quantiles[record.TargetLatency(i)+"_p50"], quantiles[record.TargetLatency(i)+"_p99"]
	}
	if t.Generator.Latency, err = c.latency(); err != nil {
		return t, err
	}
	t.Values, err = c.values()
	return t, err
}

// doubts returns those of the sources: once if all have one, else with whose it is.
func (c *concert) doubts() []string {
	var out []string
	for i, p := range c.parts {
		for _, d := range clockDoubts(p.clock, p.trial.DurationS) {
			out = append(out, fmt.Sprintf("generator %q: %s", c.order.Sources[i], d))
		}
		for _, d := range p.trial.Doubts {
			common := !slices.ContainsFunc(c.parts, func(other part) bool { return !slices.Contains(other.trial.Doubts, d) })
			if !common {
				d = fmt.Sprintf("generator %q: %s", c.order.Sources[i], d)
			}
			if !slices.Contains(out, d) && !slices.Contains(c.target.Doubts, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// withGaps returns the target's ledger with the gaps of the host that was suspended longest: a suspended generator
// affects the latencies.
func withGaps(target, part *record.Ledger) *record.Ledger {
	if target == nil || target.GapMaxS == nil || part == nil || part.GapMaxS == nil || *part.GapMaxS <= *target.GapMaxS {
		return target
	}
	out := *target
	out.GapMaxS, out.GapsS = part.GapMaxS, part.GapsS
	return &out
}

func addUse(sum *record.LoadUse, u *record.LoadUse) {
	if u == nil {
		return
	}
	sum.Done += u.Done
	sum.Bytes += u.Bytes
	sum.Handshakes += u.Handshakes
	sum.Resumed += u.Resumed
	sum.Errors += u.Errors
	sum.ErrorsBy, sum.Statuses = added(sum.ErrorsBy, u.ErrorsBy), added(sum.Statuses, u.Statuses)
	sum.Targets = addedTargets(sum.Targets, u.Targets)
	sum.First = cmp.Or(sum.First, u.First)
	sum.Offered += u.Offered
	sum.BacklogStart += u.BacklogStart
	sum.BacklogEnd += u.BacklogEnd
	sum.InFlight += u.InFlight
	sum.Accounted += u.Accounted
	sum.Crossing += u.Crossing
	sum.Unanswered += u.Unanswered
	sum.Stale += u.Stale
	sum.Unsent += u.Unsent
	sum.Starved += u.Starved
	sum.Clients += u.Clients
	sum.HeldS = max(sum.HeldS, u.HeldS)
	for statistic, late := range u.LateS { // of the latest generator: an upper bound of that of all
		if sum.LateS == nil {
			sum.LateS = map[string]float64{}
		}
		sum.LateS[statistic] = max(sum.LateS[statistic], late)
	}
	sum.SendLagP99, sum.ControlP99 = max(sum.SendLagP99, u.SendLagP99), max(sum.ControlP99, u.ControlP99)
	sum.Useful, sum.Ends = max(sum.Useful, u.Useful), sum.Ends || u.Ends
}

// addedTargets adds the counts of a mix's lines, which are the same at each generator. Percentiles do not add up.
func addedTargets(sum, of []record.TargetUse) []record.TargetUse {
	for i, t := range of {
		if i == len(sum) {
			sum = append(sum, record.TargetUse{Line: t.Line})
		}
		sum[i].Done, sum[i].Failed = sum[i].Done+t.Done, added(sum[i].Failed, t.Failed)
	}
	return sum
}

// added adds counts to a map, which may be nil.
func added(sum, counts map[string]int64) map[string]int64 {
	if sum == nil && len(counts) > 0 {
		sum = map[string]int64{}
	}
	for name, n := range counts {
		sum[name] += n
	}
	return sum
}

// combine merges the sources' series on the target's clock, and sums up the load.
func (c *concert) combine() error {
	if err := c.align(); err != nil {
		return err
	}
	for _, same := range c.alike() {
		s, err := addedSeries(same)
		if err != nil {
			return fmt.Errorf("adding up the series %s of several generators: %w", same[0].Name, err)
		}
		s.Trial = c.order.SlotOf(0).ID()
		if err := c.sort(s, len(same)); err != nil {
			return err
		}
	}
	for _, p := range c.parts {
		if p.trial.Generator != nil {
			c.load.Ops += p.trial.Generator.Done
		}
	}
	starts, ends := list.Map(c.parts, func(p part) int64 { return p.info.StartNs }), list.Map(c.parts,
		func(p part) int64 { return p.info.EndNs })
	c.load.StartNs, c.load.EndNs = slices.Min(starts), slices.Max(ends)
	if err := c.classify(); err != nil {
		return err
	}
	c.combined = true
	return nil
}

// classify states how the load of all sources together was throttled, from their merged timeline.
func (c *concert) classify() error {
	var tracks []workload.Track
	for _, s := range c.together {
		if !slices.Contains([]string{record.SeriesNetworkBytes, record.SeriesNetworkOps, record.SeriesUnseen}, s.Name) {
			continue
		}
		values, err := session.DecodeWindows(s.Data)
		if err != nil {
			return err
		}
		tracks = append(tracks, workload.Track{Name: s.Name, StepNs: s.StepNs, Values: values})
	}
	if found, ok := course.RegulationIn(tracks, c.order.WarmupS, c.order.Sides[0].Load, false); ok {
		c.regulation = course.Recorded(found, nil)
	}
	return nil
}

// kept returns the merged series of the trial, without those that only its values need.
func (c *concert) kept() []record.Series {
	return list.Filter(c.together, func(s record.Series) bool { return !strings.HasPrefix(s.Name, joint.LatencySeries) })
}

// from is a source's series.
type from struct {
	record.Series
	info *joint.Part
}

// alike returns the sources' series by name, in the order in which they come.
func (c *concert) alike() [][]from {
	var out [][]from
	for _, p := range c.parts {
		for _, s := range p.series {
			at := slices.IndexFunc(out, func(same []from) bool { return same[0].Name == s.Name })
			if at < 0 {
				at, out = len(out), append(out, nil)
			}
			out[at] = append(out[at], from{s, p.info})
		}
	}
	return out
}

// sort gives a merged series to the trial, or, if the target needs it for its own, to the load.
func (c *concert) sort(s record.Series, hosts int) error {
	var err error
	switch {
	case s.Name == joint.HeatSeries:
		if hosts == len(c.parts) { // else nobody knows when all of them were at it
			c.load.HeatStepNs = s.StepNs
			c.load.Heat, err = session.DecodeWindows(s.Data)
		}
		return err
	case s.Name == "ops" && s.Enc == record.EncWindows:
		c.load.StepNs = s.StepNs
		c.load.Windows, err = session.DecodeWindows(s.Data)
	}
	c.together = append(c.together, s)
	return err
}

func addedSeries(same []from) (record.Series, error) {
	out := same[0].Series
	for _, s := range same[1:] {
		if s.Enc != out.Enc || s.Unit != out.Unit || s.StepNs != out.StepNs {
			return out, fmt.Errorf("one is %s in %s in steps of %d ns, another %s in %s in steps of %d ns\nhint: install the "+
				"same version on all hosts",
				out.Enc, out.Unit, out.StepNs, s.Enc, s.Unit, s.StepNs)
		}
	}
	if len(same) == 1 {
		return out, nil
	}
	var err error
	switch out.Enc {
	case record.EncWindows:
		out.Data, err = addedWindows(same)
	case record.EncHistogram:
		var h *hdrhistogram.Histogram
		if h, err = histogramOf(same); err == nil {
			out.Data, err = session.EncodeHistogram(h)
		}
	default:
		err = fmt.Errorf("cannot add up series of encoding %q", out.Enc)
	}
	return out, err
}

// mostSteps bounds the steps by which one source's windows may begin after another's.
const mostSteps = 1 << 16

// addedWindows adds up windows of the same time: to within half a step. Of a warm-up it keeps the steps that all
// sources have.
func addedWindows(same []from) (string, error) {
	heat := same[0].Name == joint.HeatSeries
	late := stepsLate(list.Map(same, func(s from) int64 {
		if heat {
			return s.info.HeatNs
		}
		return s.info.StartNs
	}), same[0].StepNs)
	var sum []int64
	from, to := 0, mostSteps
	for i, s := range same {
		w, err := session.DecodeWindows(s.Data)
		if err != nil {
			return "", err
		}
		if late[i] > mostSteps {
			return "", fmt.Errorf("one begins %d steps after another", late[i])
		}
		sum = append(sum, make([]int64, max(0, late[i]+len(w)-len(sum)))...)
		for k, n := range w {
			sum[late[i]+k] += n
		}
		from, to = max(from, late[i]), min(to, late[i]+len(w))
	}
	if heat {
		sum = sum[min(from, len(sum)):max(from, min(to, len(sum)))]
	}
	return session.EncodeWindows(sum)
}

func histogramOf(same []from) (*hdrhistogram.Histogram, error) {
	var sum *hdrhistogram.Histogram
	for _, s := range same {
		h, err := session.DecodeHistogram(s.Data)
		if err != nil {
			return nil, err
		}
		if sum == nil {
			sum = h
		} else if dropped := sum.Merge(h); dropped > 0 {
			return nil, fmt.Errorf("%d values lie outside the histogram", dropped)
		}
	}
	return sum, nil
}

// values returns the merged values, in the order in which the sources report them.
func (c *concert) values() ([]record.Value, error) {
	quantiles, err := c.quantiles()
	if err != nil {
		return nil, err
	}
	var out []record.Value
	seen := map[string]bool{}
	for _, p := range c.parts {
		for _, v := range p.trial.Values {
			if seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			if q, ok := quantiles[v.Name]; ok {
				v.Value = q
			} else if mean, ok := c.meanOf(v.Name); ok {
				v.Value = mean
			} else if v.Value = c.sumOf(v.Name); !addsUp(v.Metric) {
				continue // about the generator's own CPU, not the target
			}
			out = append(out, v)
		}
	}
	rate := c.sumOf(record.Throughput)
	if seen[record.IOPS] { // then throughput counts bytes
		rate = c.sumOf(record.IOPS)
	}
	if u := c.target.CPU; u != nil && u.WindowS > 0 && rate > 0 {
		perOp := record.Metric{Name: record.CPUPerOp, Unit: "s", Better: record.Lower}
		out = append(out, record.Value{Metric: perOp, Value: u.Work / u.WindowS / rate})
	}
	if u := c.target.CPU; u != nil && len(c.others) == 0 { // a cluster's network is that of one of its hosts
		out = append(out, c.target.Network.PacketValues(u.WindowS, rate)...)
	}
	if at := slices.IndexFunc(out, func(v record.Value) bool { return v.Name == record.Throughput }); at >= 0 {
		out = append(out, c.target.Energy.PerJoule(out[at])...)
	}
	return append(out, c.target.Values...), nil
}

// addsUp reports whether the values of several sources add up to that of all, as rates do.
func addsUp(m record.Metric) bool {
	return m.Name == record.Throughput || m.Unit == "" || m.Unit == "op/s" || m.Unit == "B/s" || m.Unit == "1/min"
}

// quantiles returns the values that follow from merged histograms, by name, in seconds.
func (c *concert) quantiles() (map[string]float64, error) {
	out := map[string]float64{}
	for _, s := range c.together {
		name, own := strings.CutPrefix(s.Name, joint.LatencySeries)
		if own = own || name == session.LatencySeries; !own || s.Enc != record.EncHistogram {
			continue
		}
		h, err := session.DecodeHistogram(s.Data)
		if err != nil {
			return nil, err
		}
		out[name+"_p50"] = float64(h.ValueAtQuantile(50)) * 1e-9
		out[name+"_p99"] = float64(h.ValueAtQuantile(99)) * 1e-9
	}
	return out, nil
}

// latency returns the distribution of all sources' latencies; nil if they have none.
func (c *concert) latency() (map[string]float64, error) {
	at := slices.IndexFunc(c.together, func(s record.Series) bool {
		return s.Name == session.LatencySeries && s.Enc == record.EncHistogram
	})
	if at < 0 {
		return nil, nil
	}
	h, err := session.DecodeHistogram(c.together[at].Data)
	if err != nil {
		return nil, err
	}
	return session.Distribution(h), nil
}

// meanOf returns the mean of a value by the sources' weights; false if it has none. A source without the value has 0.
func (c *concert) meanOf(name string) (float64, bool) {
	sum, weights := 0.0, 0.0
	for _, p := range c.parts {
		v, _ := p.trial.Value(name)
		sum += v.Value * p.info.Weights[name]
		weights += p.info.Weights[name]
	}
	return sum / weights, weights > 0
}

func (c *concert) sumOf(name string) float64 {
	sum := 0.0
	for _, p := range c.parts {
		v, _ := p.trial.Value(name)
		sum += v.Value
	}
	return sum
}
