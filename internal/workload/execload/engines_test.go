package execload

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/engine/kafka"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestEnginesOfACommand: a missing engine is reported by the preflight, with its setup; an installed one is replaced
// by its path, and its version is in the trial's keys.
func TestEnginesOfACommand(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p := params(t, map[string]string{"command": "{engine.rdkafka} {engine.embedded} {engine.rdkafka}"})
	if err := Spec().Check(p, record.Machine{}); err != nil {
		t.Errorf("what only a host knows is refused before: %v", err)
	}
	says(t, Spec().Preflight(t.Context(), p, ""), "rdkafka_performance is not in ", "\nhint: plimsoll setup rdkafka")
	cache, err := engine.CacheDir("rdkafka")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(cache, "2.0.2", "rdkafka_performance")
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Spec().Preflight(t.Context(), p, ""); err != nil {
		t.Fatal(err)
	}
	at, err := locate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if path, ok := at.path("engine.rdkafka"); !ok || path != program || at.versions["engine.rdkafka"] != "2.0.2" ||
		at.versions["engine.embedded"] == "" {
		t.Errorf("%+v", at)
	}
	argv, err := words(p, "", at.path)
	if err != nil || argv[0] != program || argv[2] != program {
		t.Errorf("%q, %v", argv, err)
	}
}

// TestPresetsOfProducers fill their whole command.
func TestPresetsOfProducers(t *testing.T) {
	found := 0
	for _, preset := range presets() {
		if _, ok := preset.Set["linger_ms"]; !ok {
			continue
		}
		found++
		p := params(t, preset.Set)
		if err := Spec().Check(p, record.Machine{}); err != nil {
			t.Errorf("%s: %v", preset.Name, err)
		}
		if engines, err := wanted(p); err != nil || len(engines) != 1 {
			t.Errorf("%s names the engines %v, %v", preset.Name, engines, err)
		}
	}
	if found != 2 {
		t.Errorf("%d presets of producers", found)
	}
}

// TestProducersProduce: the tools accept the presets' commands, and their output is parsed.
func TestProducersProduce(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	enginetest.SetUp(t, kafka.Engine{})
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "try"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for _, preset := range presets() {
		if preset.Name != reader.Rdkafka && preset.Name != reader.ProducerPerf {
			continue
		}
		t.Run(preset.Name, func(t *testing.T) {
			set := maps.Clone(preset.Set)
			set["brokers"], set["topic"], set["records"] = c.ListenAddrs()[0], "try", "2000"
			var missing *engine.Missing
			if err := Spec().Preflight(t.Context(), params(t, set), ""); preset.Name == reader.Rdkafka &&
				errors.As(err, &missing) {
				t.Skip(err) // it is built from source
			}
			m, err := trial(t, t.Context(), workload.Env{}, set)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{record.Throughput, "ingest"} {
				if v, ok := m.value(name); !ok || !(v.Value > 0) {
					t.Errorf("%s is %v, of %s", name, v, names(m.values))
				}
			}
		})
	}
}
