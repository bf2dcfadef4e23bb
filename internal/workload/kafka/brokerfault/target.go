package brokerfault

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/client/load"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
)

// Target is a cluster that other hosts load while faults happen to it. The zero Target is one to which none do.
type Target struct {
	topic *Topic
	runs  Runs
}

// Schedule makes ready what is wanted to happen to brokers of i, whose cluster clients with these options reach; copies
// are the replicas of each partition.
func (t *Target) Schedule(ctx context.Context, wanted Faults, i *broker.Instance, opts []kgo.Opt, copies int,
	w Who) error {
	if wanted.None() {
		return nil
	}
	admin, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	t.topic = &Topic{Instance: i, Admin: admin, Copies: copies}
	t.runs, err = wanted.Schedule(ctx, t.topic, w)
	return err
}

// Begin implements workload.Beginner: the window of the faults.
func (t *Target) Begin(from, to int64) { t.runs.Begin(from, to) }

// Settle implements workload.Settler: a killed broker has to be back, and an added one to have its partitions, before
// their cost is known.
func (t *Target) Settle(ctx context.Context) error {
	err := t.runs.Wait(ctx)
	if killed := t.runs.Killed(); err == nil && killed > 0 {
		err = t.topic.Leads(ctx, killed)
	}
	return err
}

// Events implements workload.Eventer: what happened to brokers.
func (t *Target) Events(load.Result) []record.Event { return t.runs.Events() }

// Values returns what the faults cost.
func (t *Target) Values(r load.Result) []record.Value { return t.runs.Values(r) }

// Close ends the faults, and the brokers that they started.
func (t *Target) Close() {
	t.runs.Close()
	if t.topic != nil {
		t.topic.Admin.Close()
	}
}
