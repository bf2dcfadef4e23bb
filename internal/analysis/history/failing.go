package history

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// Failing is a benchmark whose latest nights have no valid run, or whose last night has few.
type Failing struct {
	ID      string `json:"id"` // as of a history
	Title   string `json:"title"`
	Machine string `json:"machine"` // or its instance type
	Last    string `json:"last"`    // UTC, start of the latest night with a valid run; "" if there is none
	// sessions since that have no valid run; 0 if the last night has some, and half of its runs or more failed
	Nights int `json:"nights"`
	Runs   int `json:"runs"`   // of those nights, else of the last night
	Failed int `json:"failed"` // of these runs
}

// lastSpan is the longest time between the sessions of one night.
const lastSpan = 12 * time.Hour

// sameNight reports whether two instants are one night's, or one is unknown.
func sameNight(a, b string) bool {
	first, err := record.ParseTime(a)
	second, errSecond := record.ParseTime(b)
	return err != nil || errSecond != nil || second.Sub(first).Abs() < lastSpan
}

// InLast reports whether the last night of a history is one of the document's last, and has a valid run.
func (d Document) InLast(h History) bool {
	if slices.ContainsFunc(d.Failing, func(f Failing) bool { return f.ID == h.ID && f.Nights > 0 }) {
		return false
	}
	return sameNight(h.Last, d.To)
}

// attempts are the nights of a benchmark, with a valid run or without.
type attempts struct {
	Failing
	nights []attempt
}

// attempt is one session of a benchmark.
type attempt struct {
	session       int // index
	began         string
	valid, failed int
}

// started is a session and the start of its first run.
type started struct {
	explore.Kept
	at time.Time
}

// failingIn returns the benchmarks of sessions that fail or are missing at their end, by the number of nights, most
// first.
func failingIn(kept []explore.Kept, byType bool) []Failing {
	sessions := list.Map(kept, func(k explore.Kept) started { return started{k, startOf(k)} })
	slices.SortStableFunc(sessions, func(a, b started) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.File.Name, b.File.Name))
	})
	out := []Failing{}
	for _, a := range attemptsIn(sessions, byType) {
		if f, ok := a.failing(sessions); ok {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Failing) int {
		return cmp.Or(cmp.Compare(b.Nights, a.Nights), strings.Compare(a.ID, b.ID))
	})
	return out
}

// startOf returns the start of a session's first run.
func startOf(k explore.Kept) time.Time {
	if len(k.Summary.Machines) == 0 {
		return time.Time{}
	}
	return slices.MinFunc(list.Map(k.Summary.Machines, func(m explore.Machine) time.Time {
		_, at, _ := beganAt(k, m)
		return at
	}), time.Time.Compare)
}

func attemptsIn(sessions []started, byType bool) []*attempts {
	var out []*attempts
	by := map[string]*attempts{}
	for i, k := range sessions {
		for _, m := range k.Summary.Machines {
			began, _, _ := beganAt(k.Kept, m)
			for _, c := range m.Cells {
				id, where := placeOf(cmp.Or(c.Named, c.ID), m, byType)
				a := by[id]
				if a == nil {
					a = &attempts{Failing: Failing{ID: id, Machine: where}}
					by[id], out = a, append(out, a)
				}
				a.Title = c.Title
				if n := len(a.nights); n == 0 || a.nights[n-1].session != i {
					a.nights = append(a.nights, attempt{session: i, began: began})
				}
				last := &a.nights[len(a.nights)-1]
				last.valid, last.failed = last.valid+c.N, last.failed+c.Failed
			}
		}
	}
	return out
}

// failing returns what the latest nights lack; false if nothing. A benchmark of a single session is not followed,
// unless it is the last.
func (a *attempts) failing(sessions []started) (Failing, bool) {
	out, last := a.Failing, a.nights[len(a.nights)-1]
	later := len(sessions) - 1 - last.session
	if len(a.nights) == 1 && later > 0 {
		return out, false
	}
	for _, n := range slices.Backward(a.nights) {
		if n.valid > 0 {
			out.Last = n.began
			break
		}
		out.Nights, out.Failed = out.Nights+1, out.Failed+n.failed
	}
	if a.missing(sessions) {
		out.Nights += later
	}
	if out.Runs = out.Failed; out.Nights > 0 {
		return out, true
	}
	out.Runs, out.Failed = last.valid+last.failed, last.failed
	return out, last.failed > 0 && last.failed >= last.valid
}

// missing reports whether more sessions have followed than ever between two of the benchmark. Sessions of other
// benchmarks or machines may follow in the same night: so half the longest time between two has passed too.
func (a *attempts) missing(sessions []started) bool {
	last := a.nights[len(a.nights)-1].session
	for _, k := range sessions[last+1:] {
		if k.Summary.More > 0 { // it may be among the cells that are not kept
			return false
		}
	}
	most, longest := 0, time.Duration(0)
	for i, n := range a.nights[1:] {
		before := a.nights[i].session
		most = max(most, n.session-before-1)
		longest = max(longest, sessions[n.session].at.Sub(sessions[before].at))
	}
	return len(sessions)-1-last > most && 2*sessions[len(sessions)-1].at.Sub(sessions[last].at) >= longest
}
