package explain

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// TestNoRemedyIsOtherWork: a level that changes what an operation is, or the load, removes nothing, alone or among the
// parameters that a level sets.
func TestNoRemedyIsOtherWork(t *testing.T) {
	trial := func(workload string, keys ...string) record.Trial {
		out := record.Trial{Keys: map[string]string{record.KeyWorkload: workload}}
		for i := 0; i < len(keys); i += 2 {
			out.Keys[keys[i]] = keys[i+1]
		}
		return out
	}
	for _, c := range []struct{ workload, key, from, to string }{
		{"aes-gcm", "aes-gcm.size", "1MiB", "1KiB"}, {"disk", "disk.block", "1MiB", "16KiB"},
		{"disk", "disk.rw", "write", "read"}, {"kafka", "kafka.record_size", "1MB", "1kB"},
		{"http", "http.body", "1MiB", "1KiB"}, {"http", "http.path", "/large", "/small"},
		{"pgbench", "pgbench.scale", "1000", "10"}, {"pgbench", "pgbench.script", "tpcb", "select"},
		{"tpcc", "tpcc.warehouses", "200", "10"}, {"erasure", "erasure.data", "12", "4"},
		{"exec", "exec.command", "zstd -19", "zstd -1"}, {"pgbench", record.KeyLoad, "128 clients", "1 clients"},
		{"exec", "exec.size", "1GB", "1MB"},
	} {
		from, to := trial(c.workload, c.key, c.from), trial(c.workload, c.key, c.to)
		if change, ok := oneChange(from, to); ok {
			t.Errorf("%s is offered as a change", change)
		}
		level := record.FactorPrefix + "variant"
		from.Keys[level], to.Keys[level] = "large", "small"
		if change, ok := oneChange(from, to); ok {
			t.Errorf("a level that sets %s is offered as %s", c.key, change)
		}
	}
	for _, c := range []struct{ workload, key string }{
		{"kafka", "kafka.broker.provider"}, {"kafka", "kafka.batch_bytes"}, {"disk", "disk.path"},
		{"pgbench", "pgbench.checksums"}, {"aes-gcm", "aes-gcm.library"}, {"erasure", "erasure.path"}, {"http", "http.tls"},
	} {
		// The key "path" is the code path that ran, and no parameter.
		if _, ok := oneChange(trial(c.workload, c.key, "one", record.KeyPath, "avx2"),
			trial(c.workload, c.key, "other", record.KeyPath, "neon")); !ok {
			t.Errorf("%s tunes the same work and is not offered", c.key)
		}
	}
}

// TestShareOverAll: nothing is over 100% of a difference.
func TestShareOverAll(t *testing.T) {
	between := figure.Between
	for want, r := range map[string]Removal{
		"gc=zgc removes 40 to 90% of the difference (n=5)":                            {Share: .6, Bounds: between(.4, .9)},
		"gc=zgc saves 0.80 to 1.20 times the difference (n=5)":                        {Share: 1, Bounds: between(.8, 1.2)},
		"gc=zgc saves 7.00 to 8.36 times the difference, which both sides need (n=5)": {Share: 8, Bounds: between(7, 8.36)},
	} {
		r.Change, r.N = "gc=zgc", 5
		if got := removalText(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		x := Explanation{Removes: []Removal{r}}
		if got := x.cure("", 1, false); strings.Contains(got, "%") && r.Share > 1 {
			t.Errorf("%q", got)
		}
	}
	for want, d := range map[string]Detail{
		"30 to 60% of the difference is under f":           {Share: .4, ShareLo: new(.3), ShareHi: new(.6)},
		"1.10 to 1.30 times the difference is under f":     {Share: 1.2, ShareLo: new(1.1), ShareHi: new(1.3)},
		"by estimate 1.20 times the difference is under f": {Share: 1.2},
		"by estimate 90% of the difference is under f":     {Share: .9},
	} {
		d.Kind, d.Name = DetailFunction, "f"
		if got := insideTexts([]Detail{d, d}); len(got) != 1 || !strings.HasPrefix(got[0], want) ||
			strings.Contains(got[0], "of it") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOneChange: two levels of one factor are one change, those of two factors are none.
func TestOneChange(t *testing.T) {
	keysOf := func(settings, provider string) map[string]string {
		return map[string]string{
			"kafka.broker.settings": settings, record.FactorPrefix + "kafka.broker.settings": settings,
			"kafka.broker.provider": provider, record.FactorPrefix + "kafka.broker.provider": provider,
		}
	}
	trial := func(keys map[string]string) record.Trial {
		keys[record.KeyWorkload] = "kafka"
		return record.Trial{Keys: keys}
	}
	from := trial(keysOf("gzip", "jdk"))
	for _, c := range []struct {
		to   record.Trial
		want string
	}{
		{trial(keysOf("producer", "jdk")), "broker.settings=producer"},
		{trial(keysOf("gzip", "corretto")), "broker.provider=corretto"},
		{trial(keysOf("producer", "corretto")), ""},
	} {
		if change, ok := oneChange(from, c.to); change != c.want || ok != (c.want != "") {
			t.Errorf("got %q, %t, want %q", change, ok, c.want)
		}
	}
}
