package course

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/workload"
)

// RegulationIn classifies a driver's timeline after a warm-up of so many seconds, or returns nil if it has no such
// series.
func RegulationIn(tracks []workload.Track, warmup float64) *record.Regulation {
	var bytes, ios workload.Track
	for _, t := range tracks {
		switch t.Name {
		case record.SeriesDiskBytes:
			bytes = t
		case record.SeriesDiskIOs:
			ios = t
		}
	}
	return regulationOf(bytes.StepNs, bytes.Values, ios.Values, warmup)
}

// regulationOf classifies how a disk was throttled, from the bytes and I/Os completed in each step of stepNs
// nanoseconds. It returns nil if that is too little. In an open loop it can only tell whether the offered load flowed
// without a pause.
func regulationOf(stepNs int64, bytes, ios []int64, warmup float64) *record.Regulation {
	if len(bytes) != len(ios) || stepNs <= 0 {
		return nil
	}
	r, ok := stat.RegulationOf(stat.Timeline{StepS: float64(stepNs) * 1e-9, Bytes: floats(bytes), IOs: floats(ios),
		Before: warmup})
	if !ok {
		return nil
	}
	return &record.Regulation{
		Class: r.Class, PeriodS: known(r.PeriodS), QuantumBytes: known(r.QuantumBytes), Rate: r.Rate,
		BurstRate: known(r.BurstRate), AtLeast: r.AtLeast, Duty: known(r.Duty), ZeroFraction: r.ZeroFraction,
		BucketBytes: known(r.BucketBytes), ExhaustedS: known(r.ExhaustedS), SafeRate: known(r.SafeRate),
		SafeBurst: known(r.SafeBurst),
		Cycles:    r.Cycles, AutoPeriodS: known(r.AutoPeriodS), BinS: r.BinS, SilenceS: known(r.SilenceS),
		ZeroP50S: known(r.SilenceP50S), ZeroP99S: known(r.SilenceP99S), ZeroMaxS: known(r.SilenceMaxS),
		ObservedS: r.ObservedS, Bytes: r.Bytes, IOBytes: r.IOBytes,
	}
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
