package judge

import (
	"fmt"
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// instances are what the machines of one type measured of a cell.
type instances struct {
	names  []string
	trials map[string][]record.Trial // by machine
}

func instancesOf(trials []record.Trial, metric string) instances {
	names, byName := trialset.GroupBy(trialset.Having(trialset.Counting(trials), metric), func(t record.Trial) string { return t.Keys[record.KeyMachine] })
	return instances{names, byName}
}

// nested are the logs of each instance's trials by boot; where no boot is known, all are of one.
func (in instances) nested(metric string) stat.Nested {
	var out stat.Nested
	for _, name := range in.names {
		boots, byBoot := trialset.GroupBy(in.trials[name], func(t record.Trial) string { return t.Keys[record.KeyBoot] })
		var logs [][]float64
		for _, boot := range boots {
			logs = append(logs, stat.Logs(trialset.ValuesOf(byBoot[boot], metric)))
		}
		out = append(out, logs)
	}
	return out
}

// launches are two types' instances that were launched in pairs, or apart.
type launches struct {
	a, b   instances
	metric string
	paired bool
	d      stat.Nested // of pairs: log ratios by launch
}

// launched pairs the instances of two types where each of them ran side by side with one of the
// other type, and with no second one.
func launched(a, b []record.Trial, metric string) launches {
	l := launches{a: instancesOf(a, metric), b: instancesOf(b, metric), metric: metric}
	s := trialset.NewSample(a, b, metric).Own()
	if !s.Paired || trialset.Imported(s.A) {
		return l
	}
	partner, partnered := map[string]string{}, map[string]string{}
	byLaunch := map[string][]float64{}
	logs := s.Differences(metric)
	for i := range s.A {
		x, y := s.A[i].Keys[record.KeyMachine], s.B[i].Keys[record.KeyMachine]
		if had := partner[x]; had != "" && had != y {
			return l
		}
		if had := partnered[y]; had != "" && had != x {
			return l
		}
		partner[x], partnered[y] = y, x
		byLaunch[x] = append(byLaunch[x], logs[i])
	}
	if len(partner) != len(l.a.names) || len(partnered) != len(l.b.names) {
		return l
	}
	l.paired = true
	for _, name := range l.a.names {
		l.d = append(l.d, [][]float64{byLaunch[name]})
	}
	return l
}

// n is the instances of the smaller side, or the pairs of them.
func (l launches) n() int { return min(len(l.a.names), len(l.b.names)) }

// ratio is that of the types, from one mean for each instance: runs of one instance are no
// replicates of its type. It is false where a value is not positive.
func (l launches) ratio(o stat.Opts) (stat.PairedLogRatio, bool) {
	if l.n() == 0 {
		return stat.PairedLogRatio{}, false
	}
	var r stat.PairedLogRatio
	if l.paired {
		r = stat.PairedRatio(l.d.Means(stat.Instance), o)
	} else {
		r.LogRatio = stat.WelchRatio(l.a.nested(l.metric).Means(stat.Instance), l.b.nested(l.metric).Means(stat.Instance), o)
	}
	return r, !math.IsNaN(r.Mean)
}

// sd is the standard deviation of the instances' log means, the larger one of the sides, or of the pairs' log ratios.
func (l launches) sd() float64 {
	if l.paired {
		return stat.SD(l.d.Means(stat.Instance))
	}
	return max(stat.SD(l.a.nested(l.metric).Means(stat.Instance)), stat.SD(l.b.nested(l.metric).Means(stat.Instance)))
}

// average is the mean of one type: of its instances' means.
func (in instances) average(metric string) float64 {
	if logs := in.nested(metric).Means(stat.Instance); !math.IsNaN(stat.Mean(logs)) {
		return math.Exp(stat.Mean(logs))
	}
	means := make([]float64, len(in.names))
	for i, name := range in.names {
		means[i] = estimate.Average(trialset.ValuesOf(in.trials[name], metric))
	}
	return stat.Mean(means)
}

// compareTypes concludes about one metric of one cell of two instance types.
func (j judgement) compareTypes(m trialset.Matched, metric record.Metric, primary bool) finding.Comparison {
	l := launched(m.A, m.B, metric.Name)
	both := trialset.NewSample(m.A, m.B, metric.Name)
	reg := trialset.PreregisteredFor(both, j.plans)
	reg.Boundary = stat.Fixed(reg.Alpha) // looks were over pairs of runs, and nobody stopped launching at one
	c := j.begin(m, metric, primary)
	c.A, c.B = l.a.average(metric.Name), l.b.average(metric.Name)
	c.N, c.Paired, c.Claim = l.n(), l.paired, trialset.ClaimType
	j.doubtKinds(&c, m)
	if primary {
		doubtWithin(&c, trialset.Having(trialset.Counting(m.A), metric.Name), trialset.Having(trialset.Counting(m.B), metric.Name))
	}
	r, ok := l.ratio(reg.Rule().Opts)
	if !ok {
		c.Flag("no-ratio", trialset.NotPositive(metric.Name, m.A, m.B))
		return c
	}
	c.Ratio = math.Exp(r.Mean)
	if c.N < estimate.MinReplicates {
		c.Flags = append(c.Flags, tooFewInstances(c.N))
		return c
	}
	c.Bound(r.LogRatio)
	if r.Fragile {
		c.Flag("fragile-instances")
	}
	if primary && trialset.Decidable(metric) {
		c.Repeat = l.repetition(m, reg)
		j.concludeType(&c, m, r.LogRatio, reg)
	}
	return c
}

// tooFewInstances says why there is no verdict on a type: of one instance each, ten runs
// a side would claim a difference between equal types in 74.5 % of comparisons (METHOD section 1).
func tooFewInstances(n int) note.Note {
	if n == 1 {
		return note.New("one-instance")
	}
	return note.New("too-few-instances", estimate.MinReplicates)
}

// concludeType sets the verdict, and asks whether it would be another one without tainted trials.
func (j judgement) concludeType(c *finding.Comparison, m trialset.Matched, r stat.LogRatio, reg trialset.Preregistered) {
	if j.emulated(trialset.NewSample(m.A, m.B, c.Metric)) {
		c.Flag("emulated-no-verdict")
		return
	}
	c.Settle(r, reg)
	l := launched(m.A, m.B, c.Metric)
	doubtFloor(c, reg, l.sd(), l.ratio)
	calm, disturbed := undisturbedOf(m, c.Metric)
	if disturbed == 0 {
		return
	}
	rest := launched(calm.A, calm.B, c.Metric)
	quiet, ok := rest.ratio(reg.Rule().Opts)
	if !ok || rest.n() < estimate.MinReplicates {
		c.Flag("too-few-undisturbed-instances", rest.n(), c.Each())
		return
	}
	withoutDisturbed(c, quiet.LogRatio, reg, fmt.Sprintf("%d trials", disturbed))
}

// undisturbedOf are the trials of a cell that an estimate rests on without the tainted ones, and how many these are.
func undisturbedOf(m trialset.Matched, metric string) (trialset.Matched, int) {
	m.A, m.B = trialset.Having(trialset.Counting(m.A), metric), trialset.Having(trialset.Counting(m.B), metric)
	calm := m
	quiet := func(t *record.Trial) bool { return !trialset.Tainted(*t) }
	calm.A, calm.B = trialset.Filter(m.A, quiet), trialset.Filter(m.B, quiet)
	return calm, len(m.A) + len(m.B) - len(calm.A) - len(calm.B)
}
