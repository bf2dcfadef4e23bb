package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/analysis/changepoint"
	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/explore/exploretest"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

func aNight(n int, value float64, m record.Machine) explore.Kept {
	p := fmt.Sprintf("p%d", n)
	trials := exploretest.Runs(p, m.Name, 8, value*.99, value, value*1.01)
	for i := range trials {
		trials[i].Start = record.FormatTime(time.Date(2026, 3, 1+n, 2, i, 0, 0, time.UTC))
	}
	s := explore.Summarize(explore.Input{Machines: []record.Machine{m}, Plans: []record.PlanLine{exploretest.Plan(p)},
		Trials: trials, Ends: []record.End{{Plan: p, Reason: "done"}}})
	return explore.Kept{File: explore.File{Name: fmt.Sprintf("night-%02d", n)}, Summary: s}
}

// TestHistory: the nights of a cell in order, what changed in its machine, and a suspected change of level.
func TestHistory(t *testing.T) {
	var kept []explore.Kept
	for n := range 24 {
		m, value := exploretest.Machine("a", "6.1"), 1000+float64(n%3)
		if n >= 12 {
			m.Kernel, value = "6.12", value*.9
		}
		if n == 20 {
			m.ID = "other"
		}
		kept = append(kept, aNight(n, value, m))
	}
	slices.Reverse(kept)
	cells := followable(append(kept, aNight(1, 5, exploretest.Machine("b", "6.1"))))
	if len(cells) != 1 || cells[0].Sessions != 24 || cells[0].Machine != "a" ||
		!strings.HasPrefix(cells[0].Last, "2026-03-24") {
		t.Fatalf("%+v", cells)
	}
	got, ok := Cell(kept, cells[0].ID)
	if !ok || len(got.Nights) != 24 || got.Nights[0].File != "night-00" || got.Nights[0].Lo == nil {
		t.Fatalf("%+v", got)
	}
	for n, night := range got.Nights {
		want := map[int]string{12: "kernel: 6.1 -> 6.12", 20: "another machine of that name",
			21: "another machine of that name"}[n]
		if strings.Join(night.Changed, "; ") != want {
			t.Errorf("night %d: %q, want %q", n, night.Changed, want)
		}
	}
	if len(got.Changes) != 1 || got.Changes[0].At != 12 || got.Changes[0].Better || got.Changes[0].Ratio > .91 ||
		got.Changes[0].Ratio < .89 || !strings.HasPrefix(got.Changes[0].Began, "2026-03-13") {
		t.Errorf("%+v", got.Changes)
	}
	if _, ok := Cell(kept, "none"); ok {
		t.Error("a history of a cell that nobody measured")
	}
}

// pairs returns a session of a base and a head, side by side on one machine, with a value of each for every replicate.
func pairs(n int, r *rand.Rand, machines, change float64, m record.Machine) explore.Kept {
	p := fmt.Sprintf("p%d", n)
	var trials []record.Trial
	for i := range 5 {
		shared := machines * (1 + .05*r.NormFloat64())
		for side, level := range []float64{1, change} {
			at := exploretest.Runs(p, m.Name, 8, 1000*shared*level*(1+.005*r.NormFloat64()))
			at[0].ID, at[0].Cell, at[0].Group, at[0].Replicate = fmt.Sprintf("%d-%d-%d", n, side, i), side, 0, i
			at[0].Keys["http.path"] = []string{"/base", "/head"}[side]
			at[0].Keys["engine.nginx"] = "1.22"
			at[0].Start = record.FormatTime(time.Date(2026, 3, 1+n, 2, i, 0, 0, time.UTC))
			trials = append(trials, at...)
		}
	}
	s := explore.Summarize(explore.Input{Machines: []record.Machine{m}, Plans: []record.PlanLine{exploretest.Plan(p)},
		Trials: trials, Ends: []record.End{{Plan: p, Reason: "done"}}})
	return explore.Kept{File: explore.File{Name: fmt.Sprintf("night-%02d", n)}, Summary: s}
}

// find returns the history of a document whose ID ends so.
func find(t *testing.T, d Document, end string) History {
	t.Helper()
	i := slices.IndexFunc(d.Histories, func(h History) bool { return strings.HasSuffix(h.ID, end) })
	if i < 0 {
		t.Fatalf("no history of %s in %+v", end, d)
	}
	return d.Histories[i]
}

// TestControl: a night against its own control does not see what the machine does to both, and sees what is the head's
// own.
func TestControl(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var kept []explore.Kept
	for n := range 30 {
		machines, change := 1.0, 1.0
		if n >= 10 {
			machines = .7 // a slower machine from then on
		}
		if n >= 20 {
			change = .97
		}
		kept = append(kept, pairs(n, r, machines, change, exploretest.Machine("a", "6.1")))
	}
	d := Of(kept, false)
	head, base := find(t, d, "path=/head"), find(t, d, "path=/base")
	if head.Control == nil || !strings.Contains(head.Control.ID, "path=/base") || base.Control != nil {
		t.Fatalf("%+v, %+v", head.Control, base.Control)
	}
	if len(head.Changes) != 1 || head.Changes[0].At != 20 || head.Changes[0].Better ||
		math.Abs(head.Changes[0].Ratio-.97) > .005 || head.Changes[0].File != "night-20" {
		t.Errorf("%+v", head.Changes)
	}
	if len(base.Changes) == 0 || math.Abs(float64(base.Changes[0].At-10)) > 1 {
		t.Errorf("%+v", base.Changes)
	}
	// Lists mark what changed, and name the verdict of a session with two sides.
	for _, of := range followable(kept) {
		if want := map[bool]string{true: "worse, -2.", false: "worse, -"}[of.ID == head.ID]; !strings.HasPrefix(of.Marked,
			want) || of.ID == head.ID && !strings.HasSuffix(of.Marked, "night 21") {
			t.Errorf("%s is marked %q", of.ID, of.Marked)
		}
	}
	for night, want := range map[int]string{5: "equal", 25: "worse"} {
		row := explore.Rows(kept[night].File, kept[night].Summary)[0]
		if row.Change == nil || row.Change.Verdict != want {
			t.Errorf("night %d: %+v, want %s", night, row.Change, want)
		}
	}
	n := head.Nights[25]
	if n.Ratio == nil || n.Ratio.N != 5 || n.Ratio.Lo == nil || *n.Ratio.Lo > .97 || *n.Ratio.Hi < .97 ||
		*n.Ratio.Hi > .99 {
		t.Errorf("%+v", n.Ratio)
	}
}

// TestAnotherControl: a night that was held against something else is in no search, and says so by having no ratio.
func TestAnotherControl(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var kept []explore.Kept
	for n := range 10 {
		kept = append(kept, pairs(n, r, 1, 1, exploretest.Machine("a", "6.1")))
	}
	cell := &kept[4].Summary.Machines[0].Cells[1]
	other := *cell.Control
	other.ID = "a: http at 8 clients, path=/other"
	cell.Control = &other
	kept[5].Summary.Machines[0].Cells[1].Control = nil
	head := find(t, Of(kept, false), "path=/head")
	if head.Searched != 8 || head.Nights[4].Ratio != nil || head.Nights[5].Ratio != nil || head.Nights[6].Ratio == nil {
		t.Errorf("%+v", head)
	}
}

// TestTimesAreTimes: instants are compared as such, whatever their zone and their fractions.
func TestTimesAreTimes(t *testing.T) {
	var kept []explore.Kept
	for i, start := range []string{"2026-03-01T02:00:00Z", "2026-03-01T02:00:00.5Z", "2026-03-01T03:30:00+02:00",
		"2026-02-28T23:00:00-04:00", "yesterday"} {
		trials := exploretest.Runs(fmt.Sprint(i), "a", 8, float64(100+i))
		trials[0].Start = start
		kept = append(kept, explore.Kept{File: explore.File{Name: fmt.Sprint(i), Changed: "2026-03-02T00:00:00Z"},
			Summary: explore.Summarize(explore.Input{Trials: trials})})
	}
	d := Of(kept, false)
	var order []string
	for _, n := range d.Histories[0].Nights {
		order = append(order, n.File)
	}
	if got := strings.Join(order, " "); got != "2 0 1 3 4" {
		t.Errorf("%s: %+v", got, d.Histories[0].Nights)
	}
	if last := d.Histories[0].Nights[4]; !last.Undated || last.Began != "2026-03-02T00:00:00Z" ||
		d.From != "2026-03-01T01:30:00Z" || d.To != last.Began {
		t.Errorf("%+v, %s to %s", last, d.From, d.To)
	}
}

// TestByType: machines of other names are one history of their type, in which another machine is no news and another
// kernel is.
func TestByType(t *testing.T) {
	var kept []explore.Kept
	for n := range 6 {
		m := exploretest.Machine(fmt.Sprintf("ip-10-0-0-%d", n), "6.1")
		if n == 4 {
			m.Kernel = "6.12"
		}
		k := aNight(n, 100, m)
		k.Summary.Machines[0].Type = "m6g.large"
		kept = append(kept, k)
	}
	if d := Of(kept, false); len(d.Histories) != 0 || d.Single != 6 {
		t.Errorf("%+v", d)
	}
	d := Of(kept, true)
	if len(d.Histories) != 1 || d.By != "type" || d.Histories[0].Machine != "m6g.large" ||
		d.Histories[0].ID != "m6g.large: http at 8 clients, path=/hello" {
		t.Fatalf("%+v", d)
	}
	for i, n := range d.Histories[0].Nights {
		want := map[int]string{4: "kernel: 6.1 -> 6.12", 5: "kernel: 6.12 -> 6.1"}[i]
		if got := strings.Join(n.Changed, "; "); got != want {
			t.Errorf("night %d: %q, want %q", i, got, want)
		}
	}
}

// TestLevelsAreFollowedByName: what the level head runs is another command every night, and one history.
func TestLevelsAreFollowedByName(t *testing.T) {
	var kept []explore.Kept
	for n := range 3 {
		trials := slices.Concat(exploretest.Runs(fmt.Sprint(n), "a", 8, 1), exploretest.Runs(fmt.Sprint(n), "a", 8, 2))
		for side, level := range []string{"base", "head"} {
			trials[side].Keys["http.path"], trials[side].Keys["factor.path"] = fmt.Sprintf("/build %d/%s", n, level), level
			trials[side].ID, trials[side].Cell, trials[side].Group, trials[side].Replicate = level, side, 0, 0
		}
		kept = append(kept, explore.Kept{File: explore.File{Name: fmt.Sprint(n)},
			Summary: explore.Summarize(explore.Input{Trials: trials})})
	}
	head := find(t, Of(kept, false), "path=head")
	if len(head.Nights) != 3 || head.Control == nil || head.Control.Title != "http · 8 clients · path=base" ||
		head.Nights[2].Ratio == nil {
		t.Errorf("%+v", head)
	}
	if same, ok := Cell(kept, "a: http at 8 clients, path=/build 1/head"); !ok || same.ID != head.ID {
		t.Errorf("%+v", same)
	}
}

// TestVersionsAreMarked: the version of an engine is no parameter, and marks its night.
func TestVersionsAreMarked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	kept := []explore.Kept{pairs(0, r, 1, 1, exploretest.Machine("a", "6.1")),
		pairs(1, r, 1, 1, exploretest.Machine("a", "6.1"))}
	kept[1].Summary.Machines[0].Cells[0].Versions["engine.nginx"] = "1.24"
	if got := find(t, Of(kept, false), "path=/base").Nights[1].Changed; len(got) != 1 ||
		got[0] != "engine.nginx: 1.22 -> 1.24" {
		t.Errorf("%q", got)
	}
}

// TestLeftOut: what is no whole session is named with its reason, and a copy counts once.
func TestLeftOut(t *testing.T) {
	whole := aNight(1, 100, exploretest.Machine("a", "6.1"))
	with := func(name string, change func(*explore.File)) explore.Kept {
		k := aNight(2, 100, exploretest.Machine("a", "6.1"))
		k.File.Name = name
		change(&k.File)
		return k
	}
	again := whole
	again.File.Name = "night-01-copy"
	d := Of([]explore.Kept{again, whole, aNight(3, 101, exploretest.Machine("a", "6.1")),
		with("bad", func(f *explore.File) { f.Bad = 2 }), with("broken",
			func(f *explore.File) { f.Problem = "is a pipe, not a file\nhint: save it" }),
		with("running", func(f *explore.File) { f.Running, f.Torn = true, true }), with("torn",
			func(f *explore.File) { f.Torn = true }),
		{File: explore.File{Name: "cut", Cut: true}},
		{File: explore.File{Name: "void"},
			Summary: explore.Summarize(explore.Input{Machines: []record.Machine{exploretest.Machine("a", "6.1")}})},
	}, false)
	var got []string
	for _, l := range d.LeftOut {
		got = append(got, l.File+": "+l.Reason)
	}
	want := "bad: 2 lines of it could not be read: plimsoll show names them; broken: is a pipe, not a file; " +
		"cut: its import was cut short: import it again; night-01-copy: holds the runs of night-01; running: a run " +
		"writes it; torn: its last line was cut short: plimsoll run --resume FILE continues it; void: it has no valid run"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	if d.Sessions != 2 || len(d.Histories) != 1 || len(d.Histories[0].Nights) != 2 {
		t.Errorf("%+v", d)
	}
}

// TestEarlierNights: the interval in which the next night lies holds 95% of them, if they are alike.
func TestEarlierNights(t *testing.T) {
	const histories, nights = 400, 12
	r := rand.New(rand.NewPCG(5, 95))
	outside, all := 0, 0
	for range histories {
		var values []float64
		for range nights {
			values = append(values, 1000*math.Exp(.02*r.NormFloat64()))
		}
		for i, ratio := range againstEarlier(values, nil) {
			if i < 3 {
				if ratio != nil && ratio.Lo != nil {
					t.Fatalf("an interval from %d nights", i)
				}
				continue
			}
			if all++; *ratio.Lo > 1 || *ratio.Hi < 1 {
				outside++
			}
		}
	}
	if rate := float64(outside) / float64(all); rate < .03 || rate > .065 {
		t.Errorf("seed 5, 95: %.3f of the nights lie outside", rate)
	}
}

// TestErrorRate: of histories against a control without a change, whose nights the machine moves by 10% and more,
// about 1% have a suspected one.
func TestErrorRate(t *testing.T) {
	simtest.Long(t)
	const nights = 20
	histories := float64(simtest.Times(300, 100))
	r := rand.New(rand.NewPCG(4, 99))
	alarms := 0
	for range int(histories) {
		var kept []explore.Kept
		for n := range nights {
			kept = append(kept, pairs(n, r, 1+.1*r.NormFloat64(), 1, exploretest.Machine("a", "6.1")))
		}
		if len(find(t, Of(kept, false), "path=/head").Changes) > 0 {
			alarms++
		}
	}
	if most := .01 + 3*math.Sqrt(.01*.99/histories); float64(alarms)/histories > most {
		t.Errorf("seed 4, 99: %d of %g histories have a suspected change", alarms, histories)
	}
}

// TestOnly: cells are chosen by words, and one that no history has is an error.
func TestOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	d := Of([]explore.Kept{pairs(0, r, 1, 1, exploretest.Machine("a", "6.1")),
		pairs(1, r, 1, 1, exploretest.Machine("a", "6.1"))}, false)
	some, err := d.Only([]string{"/head"})
	if err != nil || len(some.Histories) != 1 {
		t.Errorf("%+v, %v", some, err)
	}
	_, err = d.Only([]string{"/head", "/nowhere"})
	if err == nil || !strings.Contains(err.Error(), "--benchmark /nowhere") {
		t.Errorf("%v", err)
	}
}

// TestSignsOfLevels: the direction of a change is that of its levels, whose ratio has another one below 0.
func TestSignsOfLevels(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		ratio         bool
		higher, lower bool
	}{
		{1, 2, true, true, false}, {2, 1, true, false, true}, {-1, -2, false, false, true}, {-2, -1, false, true, false},
		{0, 1, false, true, false}, {1, 0, true, false, true}, {1, -1, false, false, true},
	} {
		of := changepoint.Change{Before: c.before, After: c.after}
		if got := ratioOf(of); math.IsNaN(got) == c.ratio {
			t.Errorf("%g to %g: ratio %g", c.before, c.after, got)
		}
		if better(of, record.Higher) != c.higher || better(of, record.Lower) != c.lower || better(of, record.Neutral) {
			t.Errorf("%g to %g: the wrong direction", c.before, c.after)
		}
	}
}

// TestShortestHistory: as many nights as the shortest history has are enough for the clearest step, and fewer are not.
func TestShortestHistory(t *testing.T) {
	step := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = 100 + float64(i%3)
			if i >= n/2 {
				out[i] *= 2
			}
		}
		return out
	}
	if got := changepoint.Find(step(MinNights)); len(got) != 1 || got[0].At != MinNights/2 {
		t.Errorf("%d nights: %+v", MinNights, got)
	}
	if got := changepoint.Find(step(MinNights - 1)); len(got) != 0 {
		t.Errorf("%d nights: %+v", MinNights-1, got)
	}
}

// TestImportedAgain: one file imported into two sessions is one night, though its runs have no start, and so is the
// copy of a session. Equal results of two files or nights are two.
func TestImportedAgain(t *testing.T) {
	night := func(name, p, file, changed string) explore.Kept {
		trials := exploretest.Runs(p, "a", 8, 1, 2, 3)
		for i := range trials {
			trials[i].Start = ""
		}
		plan := exploretest.Plan(p)
		plan.Plan.Imported = &record.Imported{Format: "csv", File: file, SHA256: "x"}
		return explore.Kept{File: explore.File{Name: name, Changed: changed},
			Summary: explore.Summarize(explore.Input{Machines: []record.Machine{exploretest.Machine("a", "6.1")},
				Plans: []record.PlanLine{plan}, Trials: trials, Ends: []record.End{{Plan: p, Reason: "done"}}})}
	}
	first := night("n0", "p0", "out.csv", "2026-03-01T02:00:00Z")
	for _, c := range []struct {
		name string
		next explore.Kept
		copy bool
	}{
		{"a copy of a later time", night("n1", "p0", "out.csv", "2026-03-09T02:00:00Z"), true},
		{"imported twice", night("n1", "p1", "out.csv", "2026-03-01T02:05:00Z"), true},
		{"the next night", night("n1", "p1", "out.csv", "2026-03-02T02:00:00Z"), false},
		{"another file", night("n1", "p1", "out-2.csv", "2026-03-01T02:00:00Z"), false},
	} {
		used, _, left := usable([]explore.Kept{first, c.next})
		if copied := len(used) == 1 && len(left) == 1 && left[0].Reason == "holds the runs of n0"; copied != c.copy {
			t.Errorf("%s: %d nights, left out: %+v", c.name, len(used), left)
		}
	}
}
