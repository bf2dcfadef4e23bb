package bottleneck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// Member is one of the disks that the data of a benchmark lie on, as below an array: means over runs.
type Member struct {
	Device     string  `json:"device"`
	Bytes      float64 `json:"bytes_per_s"` // read and written
	IOs        float64 `json:"ios_per_s"`
	Merged     float64 `json:"merged"` // share of the requests that the kernel joined to others, 0 to 1
	BusyPct    float64 `json:"busy_pct"`
	QueueDepth float64 `json:"queue_depth"` // requests in flight
	WaitS      float64 `json:"wait_s"`      // of a request, from queueing to completion
}

// membersOf returns the disks of the trials' data; nil unless each trial has the same ones.
func membersOf(trials []record.Trial) []Member {
	sum := map[string]*Member{}
	n := float64(len(trials))
	for i, t := range trials {
		if t.Disk == nil || t.DurationS <= 0 || i > 0 && len(t.Disk.Members) != len(sum) {
			return nil
		}
		for _, m := range t.Disk.Members {
			if sum[m.Device] == nil && i > 0 {
				return nil
			}
			at := sum[m.Device]
			if at == nil {
				at = &Member{Device: m.Device}
				sum[m.Device] = at
			}
			ios := float64(m.Reads + m.Writes)
			at.Bytes += float64(m.ReadBytes+m.WriteBytes) / t.DurationS / n
			at.IOs += ios / t.DurationS / n
			if ios > 0 {
				at.Merged += float64(m.Merges) / (ios + float64(m.Merges)) / n
			}
			at.BusyPct += m.BusyPct / n
			at.QueueDepth += m.QueueDepth / n
			at.WaitS += m.WaitS / n
		}
	}
	var out []Member
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		out = append(out, *sum[name])
	}
	return out
}

// uneven is the ratio of bytes from which the disks of an array do not share the work alike.
const uneven = 1.25

// membersText states what the disks below the data did; "" for one disk, or if they did nothing.
func membersText(all []Member) string {
	if len(all) < 2 {
		return ""
	}
	of := func(f func(Member) float64) (least, most float64) {
		least, most = f(all[0]), f(all[0])
		for _, m := range all {
			least, most = min(least, f(m)), max(most, f(m))
		}
		return least, most
	}
	least, most := of(func(m Member) float64 { return m.Bytes })
	if most <= 0 {
		return ""
	}
	lowDepth, highDepth := of(func(m Member) float64 { return m.QueueDepth })
	lowBusy, highBusy := of(func(m Member) float64 { return m.BusyPct })
	lowWait, highWait := of(func(m Member) float64 { return m.WaitS })
	_, merged := of(func(m Member) float64 { return m.Merged })
	depth := figure.ScaleFor("", lowDepth, highDepth)
	wait := figure.ScaleFor("s", lowWait, highWait)
	text := fmt.Sprintf("each of %d disks below the data had %s requests in flight (busy %s, %s a request)", len(all),
		span(depth.Number(lowDepth, 2), depth.Number(highDepth, 2)), span(Pct(lowBusy/100), Pct(highBusy/100)),
		span(wait.Number(lowWait, 2), wait.Number(highWait, 2))+" "+wait.Unit)
	if merged > 0 {
		text += fmt.Sprintf(", and up to %s of the requests were merged", Pct(merged))
	} else {
		text += ", and no requests were merged"
	}
	if most > uneven*least {
		top := slices.MaxFunc(all, func(a, b Member) int { return cmp.Compare(a.Bytes, b.Bytes) })
		text += fmt.Sprintf("; %s moved %s of the bytes", top.Device, Pct(top.Bytes/bytesOf(all)))
	}
	return text
}

func bytesOf(all []Member) float64 {
	sum := 0.
	for _, m := range all {
		sum += m.Bytes
	}
	return sum
}

// span is a range of figures, or one if both read alike.
func span(from, to string) string {
	if from == to {
		return to
	}
	return from + " to " + to
}
