package convert

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// metric is a metric of one workload. It has one unit there, and one direction in a cell: the primary metric of a
// closed loop is an input of an open one.
type metric struct {
	record.Metric
	size int // bytes of a value in a trial's line
}

type metricKey struct {
	workload, name string
	better         record.Better
}

// maxMetrics bounds the names in case another column is mistaken for the metric, which would fill the memory.
const maxMetrics = 10_000

// numberSize is the maximum number of bytes of a number.
const numberSize = 25

// metric finds or adds a metric of a cell.
func (b *Batch) metric(c *cell, m record.Metric) (int32, error) {
	key := metricKey{c.workload, m.Name, m.Better}
	at, ok := b.byName[key]
	if ok && slices.Contains(c.metrics, at) && b.metrics[at].Unit == m.Unit {
		return at, nil
	}
	if unit, had := b.units[metricKey{c.workload, m.Name, ""}]; had && unit != m.Unit {
		return 0, fmt.Errorf("%s is in %s here but in %s above\nhint: a metric of a workload has one unit; only units of "+
			"the same quantity are converted", m.Name, reader.Brief(m.Unit), reader.Brief(unit))
	}
	for _, other := range c.metrics {
		if had := b.metrics[other]; had.Name == m.Name && had.Better != m.Better {
			return 0, fmt.Errorf("%s is better when %s here but when %s above", m.Name, m.Better, had.Better)
		}
	}
	if !ok {
		var err error
		if at, err = b.newMetric(key, m); err != nil {
			return 0, err
		}
	}
	c.metrics = append(c.metrics, at)
	return at, nil
}

func (b *Batch) newMetric(key metricKey, m record.Metric) (int32, error) {
	if err := checkName(m.Name); err != nil {
		return 0, fmt.Errorf("metric: %w", err)
	}
	if err := checkText(m.Unit, false); err != nil {
		return 0, fmt.Errorf("unit: %w", err)
	}
	if len(b.metrics) == maxMetrics {
		return 0, fmt.Errorf("over %d distinct metrics\nhint: the metric column should have names such as throughput",
			maxMetrics)
	}
	key = metricKey{strings.Clone(key.workload), strings.Clone(key.name), record.Better(strings.Clone(string(key.better)))}
	m.Name, m.Unit, m.Better = key.name, strings.Clone(m.Unit), key.better
	b.metrics = append(b.metrics, metric{m, numberSize + jsonLen(record.Value{Metric: m})})
	at := int32(len(b.metrics) - 1)
	b.byName[key] = at
	b.units[metricKey{key.workload, key.name, ""}] = m.Unit
	return at, nil
}

// rank returns the position of a metric in the trials of a cell: throughput first, as the primary one, then the others
// in the order of the input.
func (b *Batch) rank(c *cell, m int32) int {
	if had := b.metrics[m]; had.Name == record.Throughput && had.Better != record.Neutral {
		return -1
	}
	return slices.Index(c.metrics, m)
}

// Base returns the base unit of a unit printed by tools, and the factor that converts to it: "MB/s" is 1e6 "B/s",
// "ns/op" is 1e-9 "s/op", "Gbit/s" is 1.25e8 "B/s". SI prefixes are powers of ten and IEC prefixes powers of two. An
// unknown or ambiguous unit (such as "KB" or "Mb") is its own base.
func Base(unit string) (base string, factor float64) {
	num, per, hasPer := strings.Cut(unit, "/")
	base, factor = num, 1
	for _, u := range units() {
		if u.text == num {
			base, factor = u.base, u.factor
		}
	}
	if per == "sec" {
		per = "s"
	}
	if hasPer {
		base += "/" + per
	}
	return base, factor
}

type unit struct {
	text, base string
	factor     float64
}

func units() []unit {
	return []unit{
		{"ns", "s", 1e-9}, {"us", "s", 1e-6}, {"\u00b5s", "s", 1e-6}, {"\u03bcs", "s", 1e-6}, // the micro sign, and mu
		{"ms", "s", 1e-3}, {"sec", "s", 1}, {"min", "s", 60},
		{"kB", "B", 1e3}, {"MB", "B", 1e6}, {"GB", "B", 1e9}, {"TB", "B", 1e12},
		{"KiB", "B", 1 << 10}, {"MiB", "B", 1 << 20}, {"GiB", "B", 1 << 30}, {"TiB", "B", 1 << 40},
		{"bit", "B", 1. / 8}, {"kbit", "B", 1e3 / 8}, {"Mbit", "B", 1e6 / 8}, {"Gbit", "B", 1e9 / 8},
		{"kbits", "B", 1e3 / 8}, {"Kbits", "B", 1e3 / 8}, {"Mbits", "B", 1e6 / 8}, {"Gbits", "B", 1e9 / 8},
		{"ops", "op", 1},
	}
}
