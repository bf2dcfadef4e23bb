package bottleneck

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// kernelRun is a run of a kernel at so many bytes per second on half of a CPU.
func kernelRun(workload string, rate float64, keys map[string]string) record.Trial {
	all := map[string]string{record.KeyWorkload: workload, record.KeyMachine: "m"}
	for name, value := range keys {
		all[name] = value
	}
	return record.Trial{Keys: all, DurationS: 2, CPU: &record.CPUUse{Work: 1, WindowS: 2, CPUs: 2},
		Values: []record.Value{{Metric: record.Metric{Name: record.Throughput, Unit: "B/s"}, Value: rate}}}
}

// TestKernelsAreSharesOfTheStore: a store that writes 300 MB/s and reads 100 MB/s on 1.5 CPUs,
// by kernels of known speed.
func TestKernelsAreSharesOfTheStore(t *testing.T) {
	coding := map[string]string{"erasure.op": "encode", "erasure.path": "as-minio", "erasure.data": "2",
		"erasure.parity": "2"}
	with := func(name, value string) map[string]string {
		out := map[string]string{name: value}
		for k, v := range coding {
			if k != name {
				out[k] = v
			}
		}
		return out
	}
	measured := []record.Trial{
		kernelRun("erasure", 1e9, coding), kernelRun("erasure", .5e9, coding), // 2 GB per CPU second
		kernelRun("erasure", 9e9, with("erasure.parity", "1")), kernelRun("erasure", 9e9, with("erasure.op", "verify")),
		kernelRun("erasure", 9e9, with("erasure.path", "best")), kernelRun("highwayhash", 1.75e9, nil),
	}
	value := func(name string, v float64) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: "B/s"}, Value: v}
	}
	store := record.Trial{Keys: map[string]string{record.KeyWorkload: "s3", record.KeyMachine: "m",
		record.KeyErasureSet: "2+2"}, CPU: &record.CPUUse{Work: 3, WindowS: 2, CPUs: 2},
		Values: []record.Value{value("ingest", 300e6), value("egress", 100e6)}}
	got := kernelTexts([]record.Trial{store, store}, kernelsMeasured(measured))
	// 300 MB/s at 2 GB/s take .15 of 1.5 CPUs; 600 + 100 MB/s at 3.5 GB/s take .2.
	if len(got) != 2 || !strings.Contains(got[0], "(2+2) of the bytes written takes 10% of") ||
		!strings.Contains(got[0], "2.00 GB/s") || !strings.Contains(got[1], "takes 13% of") {
		t.Errorf("%q", got)
	}
	for name, change := range map[string]func(*record.Trial){
		"another machine":  func(t *record.Trial) { t.Keys[record.KeyMachine] = "n" },
		"no set":           func(t *record.Trial) { delete(t.Keys, record.KeyErasureSet) },
		"another workload": func(t *record.Trial) { t.Keys[record.KeyWorkload] = "http" },
		"no CPU time":      func(t *record.Trial) { t.CPU = nil },
	} {
		other := store
		other.Keys = map[string]string{}
		for k, v := range store.Keys {
			other.Keys[k] = v
		}
		change(&other)
		if got := kernelTexts([]record.Trial{other}, kernelsMeasured(measured)); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := kernelTexts([]record.Trial{store}, nil); slices.Contains(got, "") || len(got) > 0 {
		t.Errorf("nothing measured: %q", got)
	}
}

// TestLostDrive: the loss is a fault of the run, with its cost and without a recovery of the drive.
func TestLostDrive(t *testing.T) {
	run := record.Trial{ID: "1", Keys: map[string]string{record.KeyErasureSet: "2+2"}, Values: []record.Value{
		{Metric: record.Metric{Name: record.FaultRecovery, Unit: "s"}, Value: 2},
		{Metric: record.Metric{Name: record.FaultLost, Unit: "s"}, Value: 1},
		{Metric: record.Metric{Name: record.FaultOutage, Unit: "s"}, Value: 0}}}
	if !faulted(run) {
		t.Error("it isn't known as a fault")
	}
	marks := marksOf(run, []record.Event{{Trial: "1", Name: record.EventDriveLost, Detail: "drive4", TimeNs: 4e9}}, 10)
	if len(marks) != 1 || !isFault(marks[0]) || marks[0].To != 10 {
		t.Fatalf("%+v", marks)
	}
	got := faultsOf([]record.Trial{run}, []Track{{Step: 1, Ops: make([]float64, 10), Marks: marks}})
	if len(got) != 1 || got[0].What != BesideDrive || got[0].N != 1 {
		t.Fatalf("%+v", got)
	}
	const want = "drive4 was lost: throughput recovered after 2.00 s, 1.00 s of it was lost, " +
		"the longest outage took 0.00 s; no acknowledged object was lost"
	if text := got[0].text(); text != want {
		t.Errorf("%s", text)
	}
}
