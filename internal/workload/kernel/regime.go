package kernel

import "plimsoll/internal/record"

// streams is STREAM's rule: what is so many times as large as the caches comes
// from memory.
const streams = 4

// Regime says where the working sets of lanes lie, as one of record.Regime*:
// each has perLane bytes, and caches are the machine's. In the cache are sets
// that fit the second-level cache of their CPU, or that together fit half of
// the last-level caches that so many lanes can use; they come from DRAM where
// they are together at least four times those. It is "" where the caches are
// not known.
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

// LastLevel is the machine's largest level of cache for data, with the largest
// one's size and the instances of all; zero where caches are not known.
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

// InUse is the bytes of last-level cache that so many lanes can have at most:
// each on a CPU of another one.
func InUse(last record.Cache, lanes int) int64 {
	return int64(min(lanes, max(1, last.Instances))) * last.Bytes
}

// private is what a lane has to itself of the smallest second-level cache when
// lanes are spread over all of them; 0 where there is none that is private.
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
