package integrity

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// The limits beyond which figures contradict each other. They are of different definitions often enough to differ by
// some percent.
const (
	muchCarried = 1.05 // times what was offered
	muchApart   = 1.10 // means of two imports of one cell
	FarOutlier  = .05
)

// Implausible returns notes on the values of an imported trial that contradict each other. Each may be right, and mean
// something else than its name says: so it is a note and no reason to void the trial.
func Implausible(t record.Trial) []note.Note {
	rate, ok := operationRate(t)
	if !ok {
		return nil
	}
	return append(littlesLaw(t, rate), overOffered(t, rate)...)
}

// operationRate returns a trial's throughput if it counts operations a second, under whatever name.
func operationRate(t record.Trial) (record.Value, bool) {
	v, ok := t.Value(record.Throughput)
	counted, perSecond := strings.CutSuffix(v.Unit, "/s")
	return v, ok && v.Value > 0 && (perSecond && counted != "B" ||
		slices.Contains([]string{"tps", "rps", "qps"}, strings.ToLower(v.Unit)))
}

// littlesLaw holds clients, throughput and latency to each other: on average as many requests are in flight as arrive
// in the time that one takes. Of a closed loop that is as many as there are clients, unless these wait for something
// else.
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
	switch off := trialset.CompareInFlight(inFlight, t.Load.Level); {
	case off > 0 && least:
		return say(2*mean, "at least")
	case off > 0:
		return say(mean, "about")
	case off < 0 && inFlight > 0 && !least && rate.Better != record.Neutral:
		return say(mean, "only")
	}
	return nil
}

// asyncProducer reports whether the one client of a trial is a library with many requests in flight.
func asyncProducer(t record.Trial) bool {
	return slices.Contains([]string{"rdkafka_performance", "kafka-producer-perf-test"}, t.Keys[record.KeyImported])
}

// overOffered returns a note if more was carried than was offered.
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

// PooledImports returns a note if imports that are taken together differ; none if they are of one trial each, whose
// scatter is another note.
func PooledImports(trials []record.Trial, metric string, plans map[string]record.Plan) []note.Note {
	order, groups := trialset.GroupBy(trialset.Filter(trials, func(t *record.Trial) bool {
		return t.Void == "" && t.Keys[record.KeyImported] != ""
	}), func(t record.Trial) string { return t.Plan })
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

// Outlier returns a note on the replicate that lies far from all others, if there is one.
func Outlier(trials []record.Trial, metric string) []note.Note {
	trials = trialset.Having(trials, metric)
	at, away, ok := stat.Outlier(stat.Logs(trialset.ValuesOf(trials, metric)), stat.SDFloor)
	if !ok || math.Abs(math.Expm1(away)) < FarOutlier {
		return nil
	}
	return []note.Note{note.New("outlier", record.RunNumber(trials[at].Replicate), 100*math.Expm1(away))}
}

// Groups returns a note if the values of runs fall into two groups that lie at least as far apart as an outlier.
func Groups(trials []record.Trial, metric string) []note.Note {
	g, ok := stat.TwoGroups(stat.Logs(trialset.ValuesOf(trialset.Having(trials, metric), metric)))
	apart := math.Expm1(g.HighAt - g.LowAt)
	if !ok || !(apart >= FarOutlier) {
		return nil
	}
	return []note.Note{note.New("two-groups", g.Low, g.High, 100*apart)}
}
