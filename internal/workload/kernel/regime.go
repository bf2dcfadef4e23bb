package kernel

import "plimsoll/internal/record"

// streams is STREAM's rule: data this many times larger than the caches come from memory.
const streams = 4

// Regime classifies the lanes' working sets, of perLane bytes each, as one of record.Regime*; caches are the
// machine's. Sets are in the cache if each fits its CPU's second-level cache or if together they fit half of the
// last-level caches that so many lanes can use. They come from DRAM if together they are at least four times those.
// Regime returns "" if the caches are unknown.
func Regime(perLane int64, lanes int, caches []record.Cache) string {
	last := LastLevel(caches)
	if last.Bytes == 0 {
		return ""
	}
	all := perLane * int64(lanes)
	switch {
	case perLane <= private(caches, lanes), all <= InUse(last, lanes)/2:
		return record.RegimeCache
	case all >= streams*InUse(last, lanes):
		return record.RegimeDRAM
	}
	return record.RegimeBetween
}

// LastLevel returns the machine's last data cache level, with the size of its largest instance and the number of
// all; zero if caches are unknown.
func LastLevel(caches []record.Cache) record.Cache {
	var last record.Cache
	for _, c := range caches {
		switch {
		case c.Type == "instruction" || c.Level < last.Level:
		case c.Level > last.Level:
			last = c
		default:
			last.Bytes, last.Instances = max(last.Bytes, c.Bytes), last.Instances+c.Instances
		}
	}
	return last
}

// InUse returns the most last-level cache, in bytes, that so many lanes can use: with each on a CPU of another
// instance.
func InUse(last record.Cache, lanes int) int64 {
	return int64(min(lanes, max(1, last.Instances))) * last.Bytes
}

// private returns a lane's share of the smallest second-level cache when lanes are spread over all of them; 0 if
// none is private.
func private(caches []record.Cache, lanes int) int64 {
	var bytes int64
	instances := 0
	for _, c := range caches {
		if c.Level != 2 || c.Type == "instruction" {
			continue
		}
		instances += max(1, c.Instances)
		if bytes == 0 || c.Bytes < bytes {
			bytes = c.Bytes
		}
	}
	if instances == 0 {
		return 0
	}
	sharers := (lanes + instances - 1) / instances
	return bytes / int64(max(1, sharers))
}
