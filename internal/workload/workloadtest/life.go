package workloadtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// life takes a driver through a whole trial and checks that it leaves nothing behind.
func (x exam) life() []error {
	before := survey("")
	measured := x.c.For
	if measured == 0 {
		measured = 100 * time.Millisecond
	}
	t, err := x.newTrial(measured)
	if err != nil {
		return []error{err}
	}
	var f faults
	if !x.c.Endless {
		x.trial(&f, t)
	}
	f.closes(t)
	if left := before.since(t.mark, x.patience); left != nil {
		f.addf("after Close: %w", left)
	}
	return f
}

// trial prepares twice, runs, and verifies.
func (x exam) trial(f *faults, t *trial) {
	ctx := context.Background()
	for range 2 {
		if err := t.driver.Prepare(ctx); err != nil {
			f.addf("Prepare: %w", err)
			return
		}
	}
	if err := t.run(ctx, t.start); err != nil {
		f.addf("a short load: %w", err)
		return
	}
	r := t.gen.Result()
	f.result(x.spec, r)
	if err := t.driver.Verify(ctx); err != nil {
		f.addf("Verify: %w", err)
	}
	if v, ok := t.driver.(workload.Valuer); ok {
		values, err := v.Values(r)
		f.values(x.spec, values, err)
	}
	if e, ok := t.driver.(workload.Extender); ok {
		f.extra(x.spec, e.Extra(r))
	}
	if k, ok := t.driver.(workload.Keyer); ok {
		f.keys(k.Keys())
	}
}

func (f *faults) result(spec workload.Spec, r load.Result) {
	switch {
	case r.Ops == 0:
		f.addf("a short load did no operation")
	case spec.Metrics[0].Unit == "B/s" && r.Bytes == 0:
		f.addf("a short load moved no byte, but the primary metric is in B/s")
	}
	for class, n := range r.Errors {
		f.addf("a short load had %d errors of class %v", n, class)
	}
}

// values checks the values that a driver returns. A free workload may name its metrics as the user likes.
func (f *faults) values(spec workload.Spec, values []record.Value, err error) {
	if err != nil {
		f.addf("Values: %w", err)
		return
	}
	if len(values) == 0 {
		f.addf("Values: none")
		return
	}
	if first := spec.Metrics[0].Name; !spec.Free && values[0].Name != first {
		f.addf("Values: the first is %s, the primary metric %s", values[0].Name, first)
	}
	seen := map[string]bool{}
	for _, v := range values {
		if v.Name == "" || seen[v.Name] || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			f.addf("Values: %q = %g: no name, a duplicate name or not a number", v.Name, v.Value)
		}
		seen[v.Name] = true
	}
}

// extra checks a driver's values beyond the load generator's. A metric may have several values, with suffixed names.
func (f *faults) extra(spec workload.Spec, values []record.Value) {
	for _, v := range values {
		declared := func(m record.Metric) bool {
			return m.Unit == v.Unit && (m.Name == v.Name || strings.HasPrefix(v.Name, m.Name+"_"))
		}
		if !slices.ContainsFunc(spec.Metrics[1:], declared) {
			f.addf("Extra: %s in %q is not declared", v.Name, v.Unit)
		}
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value < 0 {
			f.addf("Extra: %s is %g", v.Name, v.Value)
		}
	}
}

func (f *faults) keys(keys map[string]string) {
	for k, v := range keys {
		if k == "" || v == "" {
			f.addf("Keys: %q is %q", k, v)
		}
	}
}

func (f *faults) closes(t *trial) {
	for range 2 {
		if err := t.soon("Close", t.driver.Close); err != nil {
			f.addf("Close: %w", err)
		}
	}
}

// cancelled checks that a cancelled context ends a load of an hour.
func (x exam) cancelled() []error {
	before := survey("")
	t, err := x.newTrial(time.Hour)
	if err != nil {
		return []error{err}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var f faults
	if err := t.driver.Prepare(ctx); err != nil {
		f.addf("Prepare: %w", err)
	} else {
		err := t.run(ctx, func() {
			t.start()
			time.AfterFunc(50*time.Millisecond, cancel)
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			f.addf("a cancelled Run: %w", err)
		}
	}
	f.closes(t)
	if left := before.since(t.mark, x.patience); left != nil {
		f.addf("after a cancelled Run and Close: %w", left)
	}
	return f
}

// over checks that Run does no operation if the trial is over before it began.
func (x exam) over() []error {
	t, err := x.newTrial(time.Hour)
	if err != nil {
		return []error{err}
	}
	var f faults
	if err := t.driver.Prepare(context.Background()); err != nil {
		f.addf("Prepare: %w", err)
	} else {
		if err := t.run(context.Background(), t.gen.Stop); err != nil {
			f.addf("Run of a trial that is over: %w", err)
		}
		if n := t.gen.Result().Ops; n != 0 {
			f.addf("%d operations done in a trial that is over", n)
		}
	}
	f.closes(t)
	return f
}

// seedFaults checks that a seed reproduces its data, and that another seed gives other data.
func seedFaults(digest func(uint64, workload.Params) (string, error), p workload.Params) []error {
	var f faults
	sums := []string{}
	for _, seed := range []uint64{1, 1, 2} {
		sum, err := digest(seed, p)
		if err != nil {
			f.addf("data of seed %d: %w", seed, err)
		}
		sums = append(sums, sum)
	}
	if sums[0] != sums[1] {
		f.addf("one seed gave %s and %s", sums[0], sums[1])
	}
	if sums[0] == sums[2] {
		f.addf("seeds 1 and 2 both gave %s", sums[0])
	}
	return f
}
