package host

import (
	"errors"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
)

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
func (f *fixed) Close() error   { return nil }

func TestLedgerBetween(t *testing.T) {
	start := time.Unix(1000, 0)
	a := reading{
		at: start, passed: ptr(100), steal: ptr(1), busy: ptr(40), ours: ptr(30), interrupts: ptr(2), heat: ptr(7), psiCPU: ptr(1), psiIO: ptr(2), psiMemory: ptr(3),
		throttled: ptr(0.5), swapped: ptr(10), load: ptr(1.5), waited: map[int]float64{7: 1, 8: 2},
	}
	b := reading{
		at: start.Add(10 * time.Second), passed: ptr(120), steal: ptr(1.4), busy: ptr(55), ours: ptr(42), interrupts: ptr(2.5), heat: ptr(7), psiCPU: ptr(2), psiIO: ptr(2), psiMemory: ptr(3.5),
		throttled: ptr(2), swapped: ptr(4), load: ptr(9), waited: map[int]float64{7: 1.5, 8: 2.1, 9: 0.4},
	}
	full := record.Ledger{
		StealPct: ptr(2), RunDelayPct: ptr(5), PSICPUPct: ptr(10), PSIIOPct: ptr(0), PSIMemoryPct: ptr(5),
		ThrottledS: ptr(1.5), ForeignCPU: ptr(30), SwapPages: ptr(0), LoadAvg1: ptr(1.5),
		InterruptCPU: ptr(5), ThermalEvents: ptr(0),
	}
	p := NewLedger(System())
	p.Watch(7, 8) // lane count; 0.5 + 0.1 + 0.4 s over 2 lanes of 10 s
	if got := p.between(a, b); !near(got, full) {
		t.Errorf("got  %s\nwant %s", show(got), show(full))
	}
	if got := p.between(reading{at: start}, b); !near(got, record.Ledger{}) {
		t.Errorf("nothing at the start: %s", show(got))
	}
	if got := p.between(a, reading{at: b.at}); !near(got, record.Ledger{LoadAvg1: ptr(1.5)}) {
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
		"arm64-v2": {reading{passed: ptr(10.2), steal: ptr(0), busy: ptr(0.2), interrupts: ptr(0), psiCPU: ptr(2.5), psiIO: ptr(2.5), psiMemory: ptr(2.5),
			throttled: ptr(1.75), swapped: ptr(12), load: ptr(0)}},
		"smt-numa": {reading{passed: ptr(89.52), steal: ptr(0.16), busy: ptr(8.96), interrupts: ptr(0.08), load: ptr(3.5)}},
	}
	for name, tt := range tests {
		p := NewLedger(fixture(t, name))
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
	root := fixture(t, "arm64-v2")
	write(t, root.proc("vmstat"), "pswpin many\n")
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
	p := NewLedger(System())
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	before, _ := NewThreads().CPUSeconds()
	for now := before; now < before+0.1; now, _ = NewThreads().CPUSeconds() {
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

func TestBusySeconds(t *testing.T) {
	root := fixture(t, "smt-numa")
	for _, tt := range []struct {
		cpus []int
		want float64
	}{{nil, 8.96}, {[]int{0}, 1.12}, {[]int{1, 7}, 2.24}} {
		if got, err := BusySeconds(root, tt.cpus); err != nil || got < tt.want-1e-9 || got > tt.want+1e-9 {
			t.Errorf("cpus %v: %v s, %v; want %v", tt.cpus, got, err, tt.want)
		}
	}
	if _, err := BusySeconds(root, []int{8}); err == nil {
		t.Error("a CPU that is not there must fail")
	}
	if _, err := BusySeconds(Root{Proc: os.TempDir()}, nil); !NotHere(err) {
		t.Errorf("without a stat file: %v", err)
	}
}
