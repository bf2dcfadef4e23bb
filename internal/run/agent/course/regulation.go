package course

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
	"plimsoll/internal/workload"
)

// RegulationIn classifies a driver's timeline under a load after a warm-up of so many seconds. It returns false if
// there is no such series, or too little of it. In an open loop it can only tell whether the offered load flowed
// without a pause.
// shallower is a load that stat.Regulation.Shallower asked for.
func RegulationIn(tracks []workload.Track, warmup float64, l record.LoadPoint, shallower bool) (
	stat.Regulation, bool) {
	var bytes, ios, unseen workload.Track
	for _, t := range tracks {
		switch t.Name {
		case record.SeriesDiskBytes, record.SeriesNetworkBytes:
			bytes = t
		case record.SeriesDiskIOs, record.SeriesNetworkOps:
			ios = t
		case record.SeriesUnseen:
			unseen = t
		}
	}
	step := bytes.StepNs
	if len(bytes.Values) != len(ios.Values) || step <= 0 {
		return stat.Regulation{}, false
	}
	t := stat.Timeline{StepS: float64(step) * 1e-9, Bytes: floats(bytes.Values), IOs: floats(ios.Values), Before: warmup,
		Shallower: shallower}
	if l.Kind == record.Closed && l.Unit == record.ParamClients {
		t.InFlight = l.Level * total(t.Bytes) / max(total(t.IOs), 1)
	}
	if len(unseen.Values) == len(bytes.Values) {
		for _, ns := range unseen.Values {
			t.Unseen = append(t.Unseen, min(1, float64(ns)/float64(step)))
		}
	}
	return stat.RegulationOf(t)
}

func total(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

// Recorded returns what a trial keeps of how its disk was throttled, and of the shallower load that followed it, if one
// did.
func Recorded(r stat.Regulation, shallow *stat.Regulation) *record.Regulation {
	out := &record.Regulation{
		Class: r.Class, PeriodS: known(r.PeriodS), QuantumBytes: known(r.QuantumBytes), Rate: r.Rate,
		BurstRate: known(r.BurstRate), AtLeast: r.AtLeast, Duty: known(r.Duty), ZeroFraction: r.ZeroFraction,
		BucketBytes: known(r.BucketBytes), ExhaustedS: known(r.ExhaustedS), SafeRate: known(r.SafeRate),
		SafeBurst: known(r.SafeBurst),
		Cycles:    r.Cycles, AutoPeriodS: known(r.AutoPeriodS), BinS: r.BinS, SilenceS: known(r.SilenceS),
		ZeroP50S: known(r.SilenceP50S), ZeroP99S: known(r.SilenceP99S), ZeroMaxS: known(r.SilenceMaxS),
		ObservedS: r.ObservedS, Bytes: r.Bytes, IOBytes: r.IOBytes, InFlight: r.InFlight, Unseen: r.Unseen,
	}
	if shallow != nil {
		out.Shallow = &record.Shallow{Class: shallow.Class, InFlight: shallow.InFlight, PeriodS: known(shallow.PeriodS),
			QuantumBytes: known(shallow.QuantumBytes), Rate: shallow.Rate}
	}
	return out
}

func floats(x []int64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// known returns nil if v is not a finite number, which JSON cannot hold.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
