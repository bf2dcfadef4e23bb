package judge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// What figures may be off before one of them is doubted. They are of different definitions often enough to differ by some percent.
const (
	muchInFlight = 2    // times the clients
	muchCarried  = 1.05 // times what was offered
	muchApart    = 1.10 // means of two imports of one cell
	farOutlier   = .05
)

// Implausible says in what the values of an imported trial contradict each other. Each may be right, and mean something else than its name says: so it is a doubt.
func Implausible(t record.Trial) []note.Note {
	rate, ok := operationRate(t)
	if !ok {
		return nil
	}
	return append(littlesLaw(t, rate), overOffered(t, rate)...)
}

// operationRate is a trial's throughput where it counts operations a second, under whatever name.
func operationRate(t record.Trial) (record.Value, bool) {
	v, ok := t.Value(record.Throughput)
	counted, perSecond := strings.CutSuffix(v.Unit, "/s")
	return v, ok && v.Value > 0 && (perSecond && counted != "B" || slices.Contains([]string{"tps", "rps", "qps"}, strings.ToLower(v.Unit)))
}

// littlesLaw holds clients, throughput and latency to each other: on average as many requests are in flight as come in the time that one takes. Of a closed
// load that is as many as there are clients, unless these wait for something else.
func littlesLaw(t record.Trial, rate record.Value) []note.Note {
	if t.Load.Kind != record.Closed || t.Load.Unit != record.ParamClients || t.Load.Level <= 0 || asyncProducer(t) {
		return nil
	}
	mean, what, least := 0.0, record.Latency, false
	if v, ok := t.Value(record.Latency); ok {
		mean = v.Value
	} else if v, ok := t.Value(record.LatencyP50); ok {
		mean, what, least = v.Value/2, record.LatencyP50, true // half of the requests take that or more
	}
	inFlight := rate.Value * mean
	say := func(latency float64, how string) []note.Note {
		return []note.Note{note.New("littles-law",
			what, latency, rate.Value, rate.Unit, how, inFlight, t.Load.Level)}
	}
	switch {
	case inFlight > muchInFlight*t.Load.Level && least:
		return say(2*mean, "at least")
	case inFlight > muchInFlight*t.Load.Level:
		return say(mean, "about")
	case inFlight > 0 && !least && inFlight*muchInFlight < t.Load.Level && rate.Better != record.Neutral:
		return say(mean, "only")
	}
	return nil
}

// asyncProducer says that the one client of a trial is a library with many requests in flight.
func asyncProducer(t record.Trial) bool {
	return slices.Contains([]string{"rdkafka_performance", "kafka-producer-perf-test"}, t.Keys[record.KeyImported])
}

// overOffered says that more was carried than was offered.
func overOffered(t record.Trial, rate record.Value) []note.Note {
	offered := t.Load.Level
	if t.Load.Kind != record.Open {
		var err error
		if offered, err = strconv.ParseFloat(t.Keys[trialset.WorkloadOf(t)+"."+record.ParamRate], 64); err != nil {
			return nil
		}
	}
	if offered <= 0 || rate.Value <= muchCarried*offered {
		return nil
	}
	return []note.Note{note.New("more-than-offered", rate.Value, rate.Unit, offered)}
}

// pooledImports says that imports which are taken together differ: "" where they do not, or are of one trial each, whose scatter is another doubt.
func pooledImports(trials []record.Trial, metric string, plans map[string]record.Plan) []note.Note {
	order, groups := trialset.GroupBy(trialset.Filter(trials, func(t *record.Trial) bool { return t.Void == "" && t.Keys[record.KeyImported] != "" }), func(t record.Trial) string { return t.Plan })
	var lo, hi string
	least, most := math.Inf(1), math.Inf(-1)
	for _, hash := range order {
		values := trialset.ValuesOf(groups[hash], metric)
		m := estimate.Average(values)
		if len(values) < 2 || !(m > 0) {
			continue
		}
		if m < least {
			least, lo = m, importName(plans[hash])
		}
		if m > most {
			most, hi = m, importName(plans[hash])
		}
	}
	if !(most > muchApart*least) {
		return nil
	}
	return []note.Note{note.New("imports-apart", 100*(most/least-1), hi, lo)}
}

func importName(p record.Plan) string {
	if p.Imported == nil {
		return p.Name
	}
	return p.Imported.File
}

// outlier names the replicate that lies far from all others; "" where none does.
func outlier(trials []record.Trial, metric string) []note.Note {
	trials = trialset.Having(trials, metric)
	at, away, ok := stat.Outlier(stat.Logs(trialset.ValuesOf(trials, metric)), stat.SDFloor)
	if !ok || math.Abs(math.Expm1(away)) < farOutlier {
		return nil
	}
	return []note.Note{note.New("outlier", trials[at].Replicate, 100*math.Expm1(away))}
}

// doubtValues flags what the values of the two sides of the primary metric say against themselves.
func doubtValues(c *finding.Comparison, s trialset.Sample, plans map[string]record.Plan) {
	a, b := trialset.ValuesOf(s.A, c.Metric), trialset.ValuesOf(s.B, c.Metric)
	if len(a) >= estimate.MinReplicates && trialset.Imported(s.A) && s.A[0].Load.Kind != record.Open && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))) {
		c.Flag("same-values")
	}
	for _, side := range []struct {
		name   string
		trials []record.Trial
	}{{"a", s.A}, {"b", s.B}} {
		said := pooledImports(side.trials, c.Metric, plans)
		if !s.Paired {
			said = append(said, outlier(side.trials, c.Metric)...)
		}
		for _, n := range said {
			c.Flag("of-side", side.name, n)
		}
	}
	if at, away, ok := stat.Outlier(pairsOnly(s, c.Metric), stat.SDFloor); ok && math.Abs(math.Expm1(away)) >= farOutlier {
		c.Flag("outlier-pair", s.A[at].Replicate, 100*math.Expm1(away))
	}
}

// pairsOnly are the log ratios of pairs; none where there are no pairs.
func pairsOnly(s trialset.Sample, metric string) []float64 {
	if !s.Paired {
		return nil
	}
	return s.Differences(metric)
}
