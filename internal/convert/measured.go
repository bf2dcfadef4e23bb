package convert

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// measured brings a number to its base unit, and refuses what its metric
// cannot be. better is "" where the input does not say which way is.
func measured(name, unit string, better record.Better, num float64) (record.Value, error) {
	if name == "" {
		return record.Value{}, errors.New("a value without a metric\nhint: such as throughput, latency_p99 or cpu")
	}
	if better == "" {
		better = direction(name, unit)
	}
	v, err := inBase(name, unit, better, num)
	if err == nil {
		err = checkUnit(v.Metric, unit)
	}
	if err == nil {
		err = checkSign(v)
	}
	return v, err
}

// inBase brings a number to its base unit. Its metric's name, which may be a tool's
// own, says nothing about it.
func inBase(name, unit string, better record.Better, num float64) (record.Value, error) {
	if bare(unit) {
		return record.Value{}, fmt.Errorf("unit %q does not say what it counts\nhint: MB/s and MiB/s are bytes, op/s operations; 1 kop/s is written 1000 op/s", unit)
	}
	base, factor := baseUnit(unit)
	v := record.Value{Metric: record.Metric{Name: name, Unit: base, Better: better}, Value: num * factor}
	if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
		return v, fmt.Errorf("%s of %g in %s is not a finite number", brief(name), num, brief(unit))
	}
	return v, nil
}

// baseUnit is Base with the names that tools give to operations in a second.
func baseUnit(unit string) (base string, factor float64) {
	base, factor = Base(unit)
	if base == "1/s" {
		base = "op/s"
	}
	return base, factor
}

// bare says whether a unit is a prefix alone: "M" can be millions or megabytes.
func bare(unit string) bool {
	counted, _, _ := strings.Cut(unit, "/")
	return slices.Contains([]string{"k", "K", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"}, counted)
}

// direction is which way of a metric is better, as far as its name tells: of a time, that of a run, its unit too.
func direction(name, unit string) record.Better {
	base, _ := Base(unit)
	switch {
	case name == record.Throughput || name == record.IOPS:
		return record.Higher
	case isLatency(name), name == "time" && base == "s":
		return record.Lower
	}
	return record.Neutral
}

func isLatency(name string) bool {
	return name == record.Latency || strings.HasPrefix(name, record.Latency+"_")
}

// checkUnit holds the metrics that mean one thing everywhere to their units.
func checkUnit(m record.Metric, printed string) error {
	want := ""
	if per, _, _ := strings.Cut(m.Unit, "/"); m.Name == record.Throughput && per == "s" {
		return fmt.Errorf("throughput has the unit %s, which is a time\nhint: throughput is better when higher; name a time `time` with better=lower, or latency_… where it is a request's", brief(printed))
	}
	switch {
	case isLatency(m.Name) && m.Unit != "s":
		want = "a time, such as us, ms or s"
	case m.Name == record.CPUPercent && m.Unit != "%":
		want = "%"
	case m.Name == record.IOPS && m.Unit != "op/s":
		want = "op/s"
	default:
		return nil
	}
	return fmt.Errorf("%s has the unit %s\nhint: its unit is %s; another quantity needs another name", m.Name, brief(printed), want)
}

// checkSign refuses what no measurement gives.
func checkSign(v record.Value) error {
	switch {
	case v.Value <= 0 && (v.Name == record.Throughput || v.Name == record.IOPS || isLatency(v.Name)):
		return fmt.Errorf("%s is %g, and must be over 0\nhint: leave out the rows of a trial that failed", v.Name, v.Value)
	case v.Value < 0 && v.Name == record.CPUPercent:
		return fmt.Errorf("%s is %g %%, and cannot be negative", v.Name, v.Value)
	}
	return nil
}
