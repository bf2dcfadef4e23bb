package convert

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// metric is a metric of one workload. It has one unit there, and one direction in
// a cell: what a closed load is judged by is given to an open one.
type metric struct {
	record.Metric
	size int // bytes that a value of it takes of a trial's line
}

type metricKey struct {
	workload, name string
	better         record.Better
}

// maxMetrics is more than anybody measures: a column of something else, taken
// for names, would fill the memory.
const maxMetrics = 10_000

// numberSize is the most bytes that a number takes.
const numberSize = 25

// metric finds a metric of a cell, or adds it there.
func (b *Batch) metric(c *cell, m record.Metric) (int32, error) {
	key := metricKey{c.workload, m.Name, m.Better}
	at, ok := b.byName[key]
	if ok && slices.Contains(c.metrics, at) && b.metrics[at].Unit == m.Unit {
		return at, nil
	}
	if unit, had := b.units[metricKey{c.workload, m.Name, ""}]; had && unit != m.Unit {
		return 0, fmt.Errorf("%s is in %s here and in %s above\nhint: one metric of a workload has one unit; units that measure the same are converted", m.Name, brief(m.Unit), brief(unit))
	}
	for _, other := range c.metrics {
		if had := b.metrics[other]; had.Name == m.Name && had.Better != m.Better {
			return 0, fmt.Errorf("%s is better when %s here and when %s above", m.Name, m.Better, had.Better)
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
		return 0, fmt.Errorf("over %d different metrics\nhint: the metric column holds names such as throughput", maxMetrics)
	}
	key = metricKey{strings.Clone(key.workload), strings.Clone(key.name), record.Better(strings.Clone(string(key.better)))}
	m.Name, m.Unit, m.Better = key.name, strings.Clone(m.Unit), key.better
	b.metrics = append(b.metrics, metric{m, numberSize + jsonLen(record.Value{Metric: m})})
	at := int32(len(b.metrics) - 1)
	b.byName[key] = at
	b.units[metricKey{key.workload, key.name, ""}] = m.Unit
	return at, nil
}

// rank is where a metric stands in the trials of a cell: throughput first,
// which they are then judged by, and the others as the input named them first.
func (b *Batch) rank(c *cell, m int32) int {
	if had := b.metrics[m]; had.Name == record.Throughput && had.Better != record.Neutral {
		return -1
	}
	return slices.Index(c.metrics, m)
}
