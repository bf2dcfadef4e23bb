package host

import "testing"

func BenchmarkLedger(b *testing.B) {
	for b.Loop() {
		p := NewLedger(System())
		if err := p.Start(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(p.Stop().CostS*1e3, "cpu-ms/ledger")
	}
}

func BenchmarkGroup(b *testing.B) {
	g, err := NewAccount(System(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	for b.Loop() {
		if _, err := g.CPUSeconds(); err != nil {
			b.Fatal(err)
		}
	}
}
