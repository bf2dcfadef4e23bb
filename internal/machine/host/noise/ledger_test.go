package noise

import (
	"errors"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func BenchmarkLedger(b *testing.B) {
	for b.Loop() {
		p := NewLedger(hostfs.System())
		if err := p.Start(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(p.Stop().CostS*1e3, "cpu-ms/ledger")
	}
}

type fixed []float64

func (f *fixed) CPUSeconds() (float64, error) {
	if len(*f) == 0 {
		return 0, errors.New("no more")
	}
	v := (*f)[0]
	*f = (*f)[1:]
	return v, nil
}

func (f *fixed) Source() string { return record.ChargedThreads }

func (f *fixed) Close() error { return nil }

func TestLedgerBetween(t *testing.T) {
	start := time.Unix(1000, 0)
	a := reading{
		at: start, passed: hosttest.Ptr(100), steal: hosttest.Ptr(1), busy: hosttest.Ptr(40), ours: hosttest.Ptr(30),
		interrupts: hosttest.Ptr(2), heat: hosttest.Ptr(7), psiCPU: hosttest.Ptr(1), psiIO: hosttest.Ptr(2),
		psiMemory: hosttest.Ptr(3),
		throttled: hosttest.Ptr(0.5), swapped: hosttest.Ptr(10), load: hosttest.Ptr(1.5), waited: map[int]float64{7: 1, 8: 2},
	}
	b := reading{
		at: start.Add(10 * time.Second), passed: hosttest.Ptr(120), steal: hosttest.Ptr(1.4), busy: hosttest.Ptr(55),
		ours: hosttest.Ptr(42), interrupts: hosttest.Ptr(2.5), heat: hosttest.Ptr(7), psiCPU: hosttest.Ptr(2),
		psiIO: hosttest.Ptr(2), psiMemory: hosttest.Ptr(3.5),
		throttled: hosttest.Ptr(2), swapped: hosttest.Ptr(4), load: hosttest.Ptr(9), waited: map[int]float64{7: 1.5, 8: 2.1,
			9: 0.4},
	}
	full := record.Ledger{
		StealPct: hosttest.Ptr(2), RunDelayPct: hosttest.Ptr(5), PSICPUPct: hosttest.Ptr(10), PSIIOPct: hosttest.Ptr(0),
		PSIMemoryPct: hosttest.Ptr(5),
		ThrottledS:   hosttest.Ptr(1.5), ForeignCPU: hosttest.Ptr(30), SwapPages: hosttest.Ptr(0),
		LoadAvg1:     hosttest.Ptr(1.5),
		InterruptCPU: hosttest.Ptr(5), ThermalEvents: hosttest.Ptr(0),
	}
	p := NewLedger(hostfs.System())
	p.Watch(7, 8) // lane count; 0.5 + 0.1 + 0.4 s over 2 lanes of 10 s
	if got := p.between(a, b); !near(got, full) {
		t.Errorf("got  %s\nwant %s", show(got), show(full))
	}
	if got := p.between(reading{at: start}, b); !near(got, record.Ledger{}) {
		t.Errorf("nothing at the start: %s", show(got))
	}
	if got := p.between(a, reading{at: b.at}); !near(got, record.Ledger{LoadAvg1: hosttest.Ptr(1.5)}) {
		t.Errorf("nothing at the end: %s", show(got))
	}
	got := p.between(a, a)
	for name, v := range fields(got) {
		if v != nil && *v != *v {
			t.Errorf("empty window: %s is not a number", name)
		}
	}
}

func fields(l record.Ledger) map[string]*float64 {
	out := map[string]*float64{}
	v := reflect.ValueOf(l)
	for i := range v.NumField() {
		if p, ok := v.Field(i).Interface().(*float64); ok {
			out[v.Type().Field(i).Name] = p
		}
	}
	return out
}

func near(a, b record.Ledger) bool {
	want := fields(b)
	for name, got := range fields(a) {
		w := want[name]
		if (got == nil) != (w == nil) || got != nil && (*got-*w > 1e-9 || *w-*got > 1e-9) {
			return false
		}
	}
	return true
}

func show(l record.Ledger) string {
	var out strings.Builder
	for name, v := range fields(l) {
		if v != nil {
			out.WriteString(name + "=" + strconv.FormatFloat(*v, 'g', 6, 64) + " ")
		}
	}
	return out.String()
}

func TestLedgerReadsFixtures(t *testing.T) {
	tests := map[string]struct {
		want reading
	}{
		"arm64-v2": {reading{passed: hosttest.Ptr(10.2), steal: hosttest.Ptr(0), busy: hosttest.Ptr(0.2),
			interrupts: hosttest.Ptr(0), psiCPU: hosttest.Ptr(2.5), psiIO: hosttest.Ptr(2.5), psiMemory: hosttest.Ptr(2.5),
			throttled: hosttest.Ptr(1.75), swapped: hosttest.Ptr(12), load: hosttest.Ptr(0)}},
		"smt-numa": {reading{passed: hosttest.Ptr(89.52), steal: hosttest.Ptr(0.16), busy: hosttest.Ptr(8.96),
			interrupts: hosttest.Ptr(0.08), load: hosttest.Ptr(3.5)}},
	}
	for name, tt := range tests {
		p := NewLedger(hosttest.Fixture(t, name))
		p.Ours()
		got, err := p.read()
		if err != nil {
			t.Errorf("%s: %v: nothing is broken there", name, err)
		}
		got.at, got.ours = time.Time{}, nil
		for _, v := range []*float64{got.passed, got.busy} {
			*v = float64(int(*v*100+0.5)) / 100
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestLedgerSaysWhatIsBroken(t *testing.T) {
	root := hosttest.Fixture(t, "arm64-v2")
	hosttest.Write(t, root.ProcPath("vmstat"), "pswpin many\n")
	p := NewLedger(root)
	p.Ours(&fixed{1, 3})
	if err := p.Start(); err == nil || !strings.Contains(err.Error(), "pswpin many") {
		t.Errorf("error %v", err)
	}
	l := p.Stop()
	if l.SwapPages != nil || l.PSICPUPct == nil || l.ThrottledS == nil || *l.ThrottledS != 0 {
		t.Errorf("ledger %s", show(l))
	}
	if l.ForeignCPU == nil || *l.ForeignCPU != 0 {
		t.Errorf("our 2 s exceed the machine's 0 s: foreign must be zero, not negative: %s", show(l))
	}
}

func TestLedgerHere(t *testing.T) {
	p := NewLedger(hostfs.System())
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	before, _ := cputime.NewThreads().CPUSeconds()
	for now := before; now < before+0.1; now, _ = cputime.NewThreads().CPUSeconds() {
	}
	l := p.Stop()
	if l.CostS <= 0 || l.CostS > 1 {
		t.Errorf("taking the ledger cost %v s of CPU", l.CostS)
	}
	if l.ForeignCPU == nil || *l.ForeignCPU > 100*float64(runtime.NumCPU()) {
		t.Errorf("foreign CPU of %d CPUs: %s", runtime.NumCPU(), show(l))
	}
	t.Logf("%s cost %.4f s", show(l), l.CostS)
}
