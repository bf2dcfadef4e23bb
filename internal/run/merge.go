package run

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
	"plimsoll/internal/trialset"
)

// merged merges the target's half and the parts of the sources into one trial. Latencies are of all requests together,
// rates are sums, and CPU use and the ledger are the target's.
func merged(o record.Order, target record.Trial, parts []record.Trial, series []record.Series) (record.Trial, []record.Series, error) {
	t := target
	t.Load, t.WarmupS = o.Sides[0].Load, parts[0].WarmupS
	t.Keys = maps.Clone(target.Keys)
	t.Generator = &record.LoadUse{}
	t.DurationS = 0
	for i, p := range parts {
		for k, v := range p.Keys {
			if _, ours := t.Keys[k]; !ours {
				t.Keys[k] = v
			}
		}
		if why := cmp.Or(p.Void, trialset.StoodStill(p)); why != "" && t.Void == "" {
			t.Void = fmt.Sprintf("generator %q: %s", o.Sources[i], why)
		}
		t.Ledger = withGaps(t.Ledger, p.Ledger)
		for _, d := range p.Doubts {
			t.Doubts = append(t.Doubts, fmt.Sprintf("generator %q: %s", o.Sources[i], d))
		}
		t.DurationS += p.DurationS / float64(len(parts))
		addUse(t.Generator, p.Generator)
	}
	together, err := combine(o.TrialID(0), series)
	if err != nil {
		return t, nil, err
	}
	t.Values, err = valuesOf(target, parts, together)
	return t, together, err
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
	sum.Errors += u.Errors
	for class, n := range u.ErrorsBy {
		if sum.ErrorsBy == nil {
			sum.ErrorsBy = map[string]int64{}
		}
		sum.ErrorsBy[class] += n
	}
	sum.First = cmp.Or(sum.First, u.First)
	sum.Offered += u.Offered
	sum.BacklogStart += u.BacklogStart
	sum.BacklogEnd += u.BacklogEnd
	sum.SendLagP99, sum.ControlP99 = max(sum.SendLagP99, u.SendLagP99), max(sum.ControlP99, u.ControlP99)
	sum.Useful = max(sum.Useful, u.Useful)
}

// combine merges the sources' series by name: windows step by step, histograms count by count.
func combine(trial string, series []record.Series) ([]record.Series, error) {
	var order []string
	byName := map[string][]record.Series{}
	for _, s := range series {
		if byName[s.Name] == nil {
			order = append(order, s.Name)
		}
		byName[s.Name] = append(byName[s.Name], s)
	}
	var out []record.Series
	for _, name := range order {
		s, err := added(byName[name])
		if err != nil {
			return nil, fmt.Errorf("adding up the series %s of several generators: %w", name, err)
		}
		s.Trial = trial
		out = append(out, s)
	}
	return out, nil
}

func added(same []record.Series) (record.Series, error) {
	out := same[0]
	for _, s := range same[1:] {
		if s.Enc != out.Enc || s.Unit != out.Unit || s.StepNs != out.StepNs {
			return out, fmt.Errorf("one is %s in %s in steps of %d ns, another %s in %s in steps of %d ns\nhint: install the same version on all hosts",
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

func addedWindows(same []record.Series) (string, error) {
	var sum []int64
	for _, s := range same {
		w, err := session.DecodeWindows(s.Data)
		if err != nil {
			return "", err
		}
		for i, n := range w {
			if i == len(sum) {
				sum = append(sum, 0)
			}
			sum[i] += n
		}
	}
	return session.EncodeWindows(sum)
}

func histogramOf(same []record.Series) (*hdrhistogram.Histogram, error) {
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

// valuesOf returns the merged values, in the order in which a source reports them.
func valuesOf(target record.Trial, parts []record.Trial, series []record.Series) ([]record.Value, error) {
	var latency *hdrhistogram.Histogram
	for _, s := range series {
		if s.Name == "latency" {
			var err error
			if latency, err = session.DecodeHistogram(s.Data); err != nil {
				return nil, err
			}
		}
	}
	rate := sumOf(parts, record.Throughput)
	var out []record.Value
	for _, v := range parts[0].Values {
		switch {
		case v.Name == record.LatencyP50 && latency != nil:
			v.Value = float64(latency.ValueAtQuantile(50)) * 1e-9
		case v.Name == record.LatencyP99 && latency != nil:
			v.Value = float64(latency.ValueAtQuantile(99)) * 1e-9
		case v.Name == record.Throughput, v.Unit == "", v.Unit == "B/s":
			v.Value = sumOf(parts, v.Name)
		default:
			continue // about the generator's own CPU, not the target
		}
		out = append(out, v)
	}
	if u := target.CPU; u != nil && u.WindowS > 0 && rate > 0 {
		perOp := record.Metric{Name: record.CPUPerOp, Unit: "s", Better: record.Lower}
		out = append(out, record.Value{Metric: perOp, Value: u.Work / u.WindowS / rate})
	}
	return append(out, target.Values...), nil
}

func sumOf(parts []record.Trial, name string) float64 {
	sum := 0.0
	for _, p := range parts {
		if v, ok := p.Value(name); ok {
			sum += v.Value
		}
	}
	return sum
}
