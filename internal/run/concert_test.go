package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/agent/joint"
)

// player is a host that takes part in a trial of several: a target or a source.
type player struct {
	t         *testing.T
	latencyNs int64 // of a source's requests
	count     int64 // of them
	fail      error
	cannot    string   // why it cannot even begin
	stood     float64  // seconds for which its agent stood still
	undone    int64    // of what was offered to it
	unit      string   // of its series of operations; "": op
	said      []string // the words it was told
	loads     []record.LoadPoint
	address   string
	ahead     int64 // of its clock, before the real one, ns
	late      int64 // start of its measured time, ns
	more      []record.Value
	stuck     string // why its lanes did not end
	unsettled bool   // a target that ends as soon as the window does
	repeats   int    // how often it says once more that its window has ended, or that it has settled
	hangs     bool   // a target to which something happens without end
	weights   map[string]float64
	served    joint.Loaded // what a target was told
	places    joint.Places // likewise
}

// now is of the clock by which a concert times round trips, and not of the day's, which may be slewed.
func (p *player) now() int64 {
	now, err := cputime.Monotonic()
	if err != nil {
		p.t.Error(err)
	}
	return now + p.ahead
}

func (p *player) Do(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	if req.Do == agent.DoServe {
		return p.serve(ctx, req, handle)
	}
	return p.generate(ctx, req, handle)
}

// told waits for the next command, and answers those for its clock.
func (p *player) told(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	for {
		select {
		case w := <-req.Commands:
			if w == agent.WordClock {
				_ = handle(agent.Message{Kind: agent.KindClock, MonoNs: p.now()})
				continue
			}
			word, text, _ := strings.Cut(w, " ")
			p.said = append(p.said, word)
			if word == agent.WordJoin {
				return json.Unmarshal([]byte(text), &p.places)
			}
			if text != "" {
				return json.Unmarshal([]byte(text), &p.served)
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Second):
			return errors.New("never told")
		}
	}
}

func (p *player) serve(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	if p.fail != nil {
		return p.fail
	}
	address := "10.0.0.1:80"
	if m := req.Order.Member; m > 0 {
		_ = handle(agent.Message{Kind: agent.KindPlaced, Place: fmt.Sprintf("place %d", m)})
		if err := p.told(ctx, req, handle); err != nil {
			return err
		}
		address = fmt.Sprintf("10.0.0.%d:80", m)
	}
	_ = handle(agent.Message{Kind: agent.KindServing, Address: address})
	for i := range 3 {
		if err := p.told(ctx, req, handle); err != nil {
			return err
		}
		if i == 1 && p.unsettled {
			break
		}
		if i == 1 && p.hangs {
			<-ctx.Done()
			return ctx.Err()
		}
		if i == 1 {
			for range 1 + p.repeats {
				_ = handle(agent.Message{Kind: agent.KindEnded}) // which is no word of its
				_ = handle(agent.Message{Kind: agent.KindSettled})
			}
		}
	}
	t := agent.Blank(*req.Order, 0, *req.Machine)
	t.CPU = &record.CPUUse{Work: 1, Machine: 1.5, CPUs: 2, WindowS: 2, Source: "cgroup"}
	t.Values = []record.Value{{Metric: record.Metric{Name: record.CPUPercent, Unit: "%"}, Value: 37.5}}
	t.Network = &record.NetworkUse{Interface: "eth0", ReceivedPackets: 12000, SentPackets: 6000}
	t.Ledger = &record.Ledger{GapMaxS: &p.stood, GapsS: &p.stood}
	if m := req.Order.Member; m > 0 {
		name := fmt.Sprintf("broker_%d_cpu", m)
		t.Values = append(t.Values, record.Value{Metric: record.Metric{Name: name, Unit: "%"}, Value: float64(m)})
		for _, series := range []string{"diskuse.vda", fmt.Sprintf("broker.%d.cpu", m)} {
			_ = handle(agent.Message{Kind: "series",
				Series: &record.Series{Trial: t.ID, Name: series, Unit: "%", StepNs: 1e9, Enc: record.EncWindows}})
		}
		t.Void = p.cannot
	}
	_ = handle(agent.Message{Kind: "event", Event: &record.Event{Trial: t.ID, Name: "of the target"}})
	return handle(agent.Message{Kind: "trial", Trial: &t})
}

func (p *player) generate(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	var said []string
	for _, s := range req.Servers {
		said = append(said, s.Address)
	}
	p.address = strings.Join(said, " ")
	p.loads = append(p.loads, req.Order.Sides[0].Load)
	if p.cannot != "" {
		t := agent.Blank(*req.Order, 0, *req.Machine)
		t.Void = p.cannot
		return handle(agent.Message{Kind: "trial", Trial: &t})
	}
	_ = handle(agent.Message{Kind: agent.KindReady})
	if err := p.told(ctx, req, handle); err != nil {
		return err
	}
	if p.fail != nil {
		return p.fail
	}
	_ = handle(agent.Message{Kind: agent.KindBegun})
	part := joint.Part{StartNs: p.now() + p.late, EndNs: p.now() + p.late + 2e9, Weights: p.weights}
	for range 1 + p.repeats {
		_ = handle(agent.Message{Kind: agent.KindEnded})
	}
	t := agent.Blank(*req.Order, 0, *req.Machine)
	if t.Void = p.stuck; p.stuck != "" {
		return handle(agent.Message{Kind: "trial", Trial: &t})
	}
	if err := p.told(ctx, req, handle); err != nil {
		return err
	}
	t.DurationS, t.Ledger = 2, &record.Ledger{GapMaxS: &p.stood, GapsS: &p.stood}
	h := hdrhistogram.New(1, 1e12, 3)
	_ = h.RecordValues(p.latencyNs, p.count)
	text, err := session.EncodeHistogram(h)
	if err != nil {
		return err
	}
	windows, err := session.EncodeWindows([]int64{p.count / 2, p.count / 2})
	if err != nil {
		return err
	}
	id := t.ID
	_ = handle(agent.Message{Kind: "event", Event: &record.Event{Trial: id, Name: "of a generator, by another clock"}})
	_ = handle(agent.Message{Kind: "series",
		Series: &record.Series{Trial: id, Name: "ops", Unit: cmp.Or(p.unit, "op"), StepNs: 1e9, Enc: record.EncWindows,
			Data: windows}})
	_ = handle(agent.Message{Kind: "series",
		Series: &record.Series{Trial: id, Name: "latency", Unit: "ns", Enc: record.EncHistogram, Data: text}})
	t.Generator = &record.LoadUse{Done: p.count, Offered: p.count + p.undone, BacklogEnd: p.undone, HeldS: .01,
		SendLagP99: float64(p.latencyNs) * 1e-12, Useful: .1}
	metric := func(name, unit string, v float64) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: unit}, Value: v}
	}
	t.Values = []record.Value{metric(record.LatencyP99, "s", 1), metric(record.LatencyP50, "s", 1),
		metric(record.Throughput, "op/s", float64(p.count)/2), metric("generator_cpu", "%", 9), metric("ingest", "B/s",
			float64(p.count)*50)}
	t.Values = append(t.Values, p.more...)
	return handle(agent.Message{Kind: "trial", Trial: &t, Part: &part})
}

// served is a plan of one rate on a target that two generators load.
func served(t *testing.T, replicates int) record.Plan {
	t.Helper()
	decl := record.Workload{Name: "web", Serves: true, Loads: []record.LoadKind{record.Open},
		Params: []record.Param{{Name: record.ParamRate, Kind: record.Float, Default: "1000"},
			{Name: record.ParamArrivals, Kind: record.Enum, Default: record.Poisson, Choices: []string{record.Poisson}}}}
	req := plan.Request{Replicates: replicates, Seed: 1, Session: "s", DurationS: 2, Hosts: []string{"target"},
		Generators: []string{"g1", "g2"}, Measure: []plan.Ask{{Workload: "web"}}}
	p, err := plan.Resolve(req, []record.Workload{decl}, map[string]plan.Target{"target": {CPUs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func band(t *testing.T, replicates int, target, g1, g2 *player) *bench {
	b := newBench(served(t, replicates))
	b.Loop.Machines = map[string]record.Machine{"target": {Name: "t"}, "g1": {Name: "g1"}, "g2": {Name: "g2"}}
	b.Loop.Agents = map[string]Doer{"target": target, "g1": g1, "g2": g2}
	return b
}

// TestSeveralGeneratorsAreOneTrial: two of three quarters of the requests are slow, which determines the quantiles of
// all; CPU use is the target's.
func TestSeveralGeneratorsAreOneTrial(t *testing.T) {
	target, g1, g2 := &player{t: t}, &player{t: t, latencyNs: 1e6, count: 3000}, &player{t: t, latencyNs: 8e6, count: 1000}
	b := band(t, 2, target, g1, g2)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 2 || trials[0].Void != "" {
		t.Fatalf("%+v, %v", trials, err)
	}
	tr := trials[0]
	for name, want := range map[string]float64{record.LatencyP50: 1e-3, record.LatencyP99: 8e-3, record.Throughput: 2000,
		"ingest": 200_000, record.CPUPercent: 37.5, "cpu_per_op": 1. / 2 / 2000,
		record.Packets: 9000, record.PacketsPerOp: 4.5} {
		if v, ok := tr.Value(name); !ok || math.Abs(v.Value-want) > .002*want {
			t.Errorf("%s is %v, want %v", name, v.Value, want)
		}
	}
	if tr.Values[0].Name != record.LatencyP99 || tr.Keys[record.KeyMachine] != "t" || tr.Load.Level != 1000 ||
		tr.Generator.Done != 4000 || tr.Generator.HeldS != .01 || math.Abs(tr.Generator.SendLagP99-8e-6) > 1e-12 {
		t.Errorf("%+v, generator %+v", tr, tr.Generator)
	}
	if _, ok := tr.Value("generator_cpu"); ok {
		t.Error("a generator's CPU stands among the target's values")
	}
	if g1.loads[0].Level != 500 || g2.loads[0].Level != 500 || g1.address != "10.0.0.1:80" || g2.address != g1.address {
		t.Errorf("loads %v %v, addresses %q %q", g1.loads, g2.loads, g1.address, g2.address)
	}
	if strings.Join(target.said, " ") != "begin end leave begin end leave" ||
		strings.Join(g1.said, " ") != "start settled start settled" {
		t.Errorf("the target was told %q, a generator %q", target.said, g1.said)
	}
	if b.session.series != 4 || b.session.events != 2 || len(b.session.trials) != 2 {
		t.Errorf("%d series, %d events, %d trials written", b.session.series, b.session.events, len(b.session.trials))
	}
}

// clustered is a band whose target is a cluster of two hosts; the clock of the second is a second ahead.
func clustered(t *testing.T, target, second, g1, g2 *player) *bench {
	b := band(t, 1, target, g1, g2)
	b.Loop.Plan.Cells[0].Cluster = []string{"second"}
	b.Loop.Machines["second"] = record.Machine{Name: "t2", Cloud: record.Cloud{Zone: "z2"}}
	b.Loop.Agents["second"] = second
	return b
}

// TestSeveralServersAreOneTrial: each is told where all are, the generators where to find them, and what is measured of
// the servers stands together.
func TestSeveralServersAreOneTrial(t *testing.T) {
	target, second := &player{t: t}, &player{t: t, ahead: 1e9}
	g1, g2 := &player{t: t, latencyNs: 1e6, count: 3000}, &player{t: t, latencyNs: 8e6, count: 1000}
	b := clustered(t, target, second, g1, g2)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 1 || trials[0].Void != "" {
		t.Fatalf("%+v, %v", trials, err)
	}
	if g1.address != "10.0.0.1:80 10.0.0.2:80" || strings.Join(second.said, " ") != "join begin end leave" ||
		strings.Join(target.said, " ") != strings.Join(second.said, " ") {
		t.Errorf("%q; %q; %q", g1.address, target.said, second.said)
	}
	if p := second.places; p.Self != 2 || strings.Join(p.All, ", ") != "place 1, place 2" ||
		strings.Join(p.Zones, ", ") != ", z2" {
		t.Errorf("%+v", p)
	}
	if apart := second.served.StartNs - target.served.StartNs; math.Abs(float64(apart)-1e9) > 5e8 {
		t.Errorf("the load began %d ns later by the second's clock, which is a second ahead", apart)
	}
	tr := trials[0]
	for name, want := range map[string]float64{"broker_1_cpu": 1, "broker_2_cpu": 2, record.CPUPercent: 37.5} {
		if v, _ := tr.Value(name); v.Value != want {
			t.Errorf("%s is %v, want %v", name, v.Value, want)
		}
	}
	if tr.CPU.Work != 2 || tr.CPU.CPUs != 4 || tr.Keys[record.KeyHosts] != "2" || len(tr.Members) != 1 ||
		tr.Members[0].Machine != "t2" || math.Abs(tr.Members[0].OffsetS+1) > .5 {
		t.Errorf("%+v %+v", tr.CPU, tr.Members)
	}
	if b.session.series != 2+3 { // of a further host only what is of its server
		t.Errorf("%d series", b.session.series)
	}
}

func TestAServerThatFailsVoidsItsCluster(t *testing.T) {
	target, second := &player{t: t}, &player{t: t, cannot: "the broker ended"}
	b := clustered(t, target, second, &player{t: t, latencyNs: 1e6, count: 3000},
		&player{t: t, latencyNs: 8e6, count: 1000})
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) == 0 ||
		!strings.Contains(trials[0].Void, `the target's host "second": the broker ended`) {
		t.Errorf("%+v, %v", trials, err)
	}
}

func TestConcertThatFails(t *testing.T) {
	lost := agent.Lost{Reason: "the agent died", Gone: true}
	gone := agent.Unreachable{On: "g2", Err: errors.New("gone")}
	for _, c := range []struct {
		name           string
		target, g1, g2 error
		void, err      string
	}{
		{"a generator is lost", nil, nil, lost, `generator "g2": the agent died`, ""},
		{"the target is lost", lost, nil, nil, "the target: the agent died", ""},
		{"a generator cannot be reached", nil, nil, gone, "", "gone"},
	} {
		b := band(t, 1, &player{t: t, fail: c.target}, &player{t: t, latencyNs: 1e6, count: 100, fail: c.g1},
			&player{t: t, latencyNs: 1e6, count: 100, fail: c.g2})
		trials, err := b.Run(t.Context(), nil)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || len(trials) != 0 {
				t.Errorf("%s: %v, %d trials", c.name, err, len(trials))
			}
		case err != nil || len(trials) != 4 || trials[0].Void != c.void || !trials[0].Away:
			t.Errorf("%s: %v, voids %q", c.name, err, voids(trials))
		}
	}
}

func TestSharesOfALoad(t *testing.T) {
	l := record.LoadPoint{Kind: record.Closed, Level: 10, Unit: record.ParamClients}
	o := record.Order{ID: "o", Sources: []string{"g1", "g2", "g3"}, Sides: []record.Side{{Load: l}}}
	sum, ids := 0.0, map[string]bool{o.ID: true}
	for i := range 3 {
		part := partOf(o, i)
		sum += part.Sides[0].Load.Level
		ids[part.ID] = true
	}
	if sum != 10 || o.Sides[0].Load.Level != 10 {
		t.Errorf("ten clients are shared as %v", sum)
	}
	if len(ids) != 4 {
		t.Errorf("the agents of an order go by the names %v", ids)
	}
}

// TestGeneratorThatCannotBegin: the others wait for it, and must not for ever.
func TestGeneratorThatCannotBegin(t *testing.T) {
	target, g1, g2 := &player{t: t}, &player{t: t, latencyNs: 1e6, count: 100}, &player{t: t,
		cannot: "preparing: connection refused"}
	trials, err := band(t, 1, target, g1, g2).Run(t.Context(), nil)
	if err != nil || len(trials) != 2 || trials[0].Void != `generator "g2": preparing: connection refused` ||
		len(trials[0].Values) > 0 {
		t.Errorf("%v, %v", trials, err)
	}
	// either may be told to leave
	if slices.Contains(target.said, agent.WordBegin) || slices.Contains(g1.said, agent.WordStart) {
		t.Errorf("a load without one of its generators began: %q, %q", target.said, g1.said)
	}
}

// TestGeneratorThatDoesNotEnd: its own reason stands, and the target is told to leave without a load.
func TestGeneratorThatDoesNotEnd(t *testing.T) {
	target := &player{t: t}
	trials, err := band(t, 1, target, &player{t: t, latencyNs: 1e6, count: 100},
		&player{t: t, stuck: "the load did not end"}).Run(t.Context(), nil)
	if err != nil || trials[0].Void != `generator "g2": the load did not end` || target.served.Ops != 0 ||
		strings.Join(target.said[:3], " ") != "begin end leave" {
		t.Errorf("%v, %v, the target was told %q", voids(trials), err, target.said)
	}
}

// TestTargetThatDoesNotSettle: its generators, who would wait for it for ever, are told to stop.
func TestTargetThatDoesNotSettle(t *testing.T) {
	g1, g2 := &player{t: t, latencyNs: 1e6, count: 100}, &player{t: t, latencyNs: 1e6, count: 100}
	trials, err := band(t, 1, &player{t: t, unsettled: true}, g1, g2).Run(t.Context(), nil)
	if err != nil || trials[0].Void != "the target: it exited before the load was gone" {
		t.Errorf("%v, %v", voids(trials), err)
	}
	if slices.Contains(g1.said, agent.WordSettled) || slices.Contains(g2.said, agent.WordSettled) {
		t.Errorf("generators were told %q, %q", g1.said, g2.said)
	}
}

// TestServerThatNeverSettles: the run ends without it, after the time for which a server of it may be down too.
func TestServerThatNeverSettles(t *testing.T) {
	target, second := &player{t: t}, &player{t: t, hangs: true}
	g1, g2 := &player{t: t, latencyNs: 1e6, count: 100}, &player{t: t, latencyNs: 1e6, count: 100}
	b := clustered(t, target, second, g1, g2)
	b.Loop.settling, b.Loop.Plan.Cells[0].Params[record.ParamFaultDown] = time.Millisecond, "20ms"
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) == 0 ||
		trials[0].Void != `the target's host "second": it had not recovered 21ms after the load ended` {
		t.Errorf("%v, %v", voids(trials), err)
	}
	if slices.Contains(g1.said, agent.WordSettled) || slices.Contains(g2.said, agent.WordSettled) {
		t.Errorf("generators were told %q, %q", g1.said, g2.said)
	}
}

// TestPlayersThatRepeatThemselves: the others, who soon hear nothing any more, are told once.
func TestPlayersThatRepeatThemselves(t *testing.T) {
	target, g1, g2 := &player{t: t, repeats: 3 * most}, &player{t: t, latencyNs: 1e6, count: 100}, &player{t: t,
		latencyNs: 1e6, count: 100, repeats: 3 * most}
	trials, err := band(t, 1, target, g1, g2).Run(t.Context(), nil)
	if err != nil || trials[0].Void != "" || !slices.Equal(g1.said, []string{"start", "settled"}) ||
		!slices.Equal(target.said, []string{"begin", "end", "leave"}) {
		t.Errorf("%v, %v, %q, %q", voids(trials), err, g1.said, target.said)
	}
}

// TestServerThatCannotSettle: its reason is the run's, and no generator looks for its records in what is left of a
// cluster.
func TestServerThatCannotSettle(t *testing.T) {
	second := &player{t: t, unsettled: true, cannot: "broker 2 was killed and did not start again"}
	g1, g2 := &player{t: t, latencyNs: 1e6, count: 100}, &player{t: t, latencyNs: 1e6, count: 100}
	trials, err := clustered(t, &player{t: t}, second, g1, g2).Run(t.Context(), nil)
	if err != nil || len(trials) == 0 ||
		trials[0].Void != `the target's host "second": broker 2 was killed and did not start again` {
		t.Errorf("%v, %v", voids(trials), err)
	}
	if slices.Contains(g1.said, agent.WordSettled) || slices.Contains(g2.said, agent.WordSettled) {
		t.Errorf("generators were told %q, %q", g1.said, g2.said)
	}
}

// TestConcertThatStoodStill: a suspension of any host voids the trial, and shorter ones are in its ledger.
func TestConcertThatStoodStill(t *testing.T) {
	for _, c := range []struct {
		target, g2 float64
		void       string
		longest    float64
	}{
		{0, .5, `generator "g2": the measuring process stalled for 0.5 s of 2 s`, .5},
		{.5, 0, "the measuring process stalled for 0.5 s of 2 s", .5},
		{.01, .07, "", .07},
		{.07, .01, "", .07},
	} {
		g1, g2 := &player{t: t, latencyNs: 1e6, count: 1000}, &player{t: t, latencyNs: 1e6, count: 1000, stood: c.g2}
		trials, err := band(t, 1, &player{t: t, stood: c.target}, g1, g2).Run(t.Context(), nil)
		if err != nil || trials[0].Void != c.void || *trials[0].Ledger.GapMaxS != c.longest {
			t.Errorf("%+v: %q, %v", c, voids(trials), err)
		}
	}
}

// TestTargetOverByAll: a load that the generators together could not sustain is the target's failure, and is not
// retried.
func TestTargetOverByAll(t *testing.T) {
	g1, g2 := &player{t: t, latencyNs: 1e6, count: 1000}, &player{t: t, latencyNs: 1e6, count: 900, undone: 100}
	trials, err := band(t, 1, &player{t: t}, g1, g2).Run(t.Context(), nil)
	if err != nil || !trials[0].Over || !strings.Contains(trials[0].Void, "1900 of 2000 offered operations completed") {
		t.Errorf("%+v, %v", trials, err)
	}
}

// TestSeriesThatDiffer: series with different units cannot be added up.
func TestSeriesThatDiffer(t *testing.T) {
	g1, g2 := &player{t: t, latencyNs: 1e6, count: 100}, &player{t: t, latencyNs: 1e6, count: 100, unit: "request"}
	b := band(t, 1, &player{t: t}, g1, g2)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || !strings.Contains(trials[0].Void, "adding up the series ops of several generators") ||
		b.session.series > 0 {
		t.Errorf("%v, %d series, %v", voids(trials), b.session.series, err)
	}
}
