package load

import (
	"math"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
)

func TestImpossibleConfigs(t *testing.T) {
	good := Config{Load: closedLoad(1), Lanes: 1, Duration: time.Second}
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no lanes":           {func(c *Config) { c.Lanes = 0 }, "0 lanes"},
		"too many lanes":     {func(c *Config) { c.Lanes = 1 << 20 }, "1048576 lanes"},
		"no kind":            {func(c *Config) { c.Load.Kind = "" }, "unknown kind"},
		"no clients":         {func(c *Config) { c.Load.Level = 0 }, "closed loop of 0"},
		"clients not finite": {func(c *Config) { c.Load.Level = math.Inf(1) }, "closed loop of +Inf"},
		"rate not a number":  {func(c *Config) { c.Load = openLoad(Poisson, math.NaN()) }, "rate of NaN"},
		"negative rate":      {func(c *Config) { c.Load = openLoad(Poisson, -1) }, "rate of -1"},
		"rate beyond ns":     {func(c *Config) { c.Load = openLoad(Uniform, 1e9) }, "rate of 1e+09"},
		"unknown arrivals":   {func(c *Config) { c.Load = openLoad("bursts", 1) }, `"bursts"`},
		"no duration":        {func(c *Config) { c.Duration = 0 }, "run of 0s"},
		"endless":            {func(c *Config) { c.Duration = math.MaxInt64 }, "run of"},
		"negative warm-up":   {func(c *Config) { c.Warmup = -1 }, "warm-up of -1ns"},
		"negative step":      {func(c *Config) { c.Step = -1 }, "windows of -1ns"},
		"too many windows":   {func(c *Config) { c.Step = 1 }, "windows of 1ns"},
		"single run, 2": {func(c *Config) { c.Load.Kind, c.Lanes = record.Once, 2 },
			"2 lanes for a load of kind \"once\" and 1 runs"},
		"unknown pacing": {func(c *Config) { c.Pacing = 9 }, "pacing 9"},
	} {
		bad := good
		c.change(&bad)
		if _, err := New(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	for name, c := range map[string]Config{
		"closed":  good,
		"open":    {Load: openLoad("", 10), Lanes: 4, Duration: time.Second},
		"once":    {Load: record.LoadPoint{Kind: record.Once, Level: 1}, Lanes: 1},
		"spinner": {Load: openLoad(Uniform, 10), Lanes: 4, Duration: time.Second, Step: time.Millisecond, Pacing: Spin},
	} {
		if _, err := New(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestImpossibleSlices(t *testing.T) {
	a := Config{Load: closedLoad(1), Lanes: 1, Duration: time.Second}
	longer, open := a, a
	longer.Duration *= 2
	open.Load = openLoad(Poisson, 100)
	for name, c := range map[string]struct {
		sides []Config
		slice time.Duration
		want  string
	}{
		"one side":      {[]Config{a}, time.Millisecond, "1 sides"},
		"no slice":      {[]Config{a, a}, 0, "slices of 0s"},
		"unequal times": {[]Config{a, longer}, time.Millisecond, "side 1: load: slices of unequal times"},
		"open":          {[]Config{a, open}, time.Millisecond, `side 1: load: slices of kind "open"`},
		"impossible side": {[]Config{{Load: closedLoad(1), Duration: 1}, {Load: closedLoad(1), Duration: 1}},
			time.Millisecond, "side 0: load: 0 lanes"},
	} {
		if _, err := NewSliced(c.sides, c.slice, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func TestClassNames(t *testing.T) {
	want := "timeout connect closed status protocol other"
	var got []string
	for c := range Class(classes) {
		got = append(got, c.String())
	}
	if strings.Join(got, " ") != want {
		t.Errorf("classes are %v, want %s", got, want)
	}
}
