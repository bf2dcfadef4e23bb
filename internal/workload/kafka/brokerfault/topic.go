package brokerfault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	broker "plimsoll/internal/engine/kafka"
)

// Topic is the topic of a cluster to which faults happen.
type Topic struct {
	*broker.Instance
	Admin      *kgo.Client
	Name       string
	Partitions int
	Copies     int       // replicas of each
	target     [][]int32 // the replicas of each partition after a reassignment
	added      int32     // the broker for which they were reassigned
	elected    bool      // it was asked to lead its part
}

// Part is the state of a partition.
type Part struct {
	Leader   int32 // -1: none
	InSync   int
	Replicas []int32
}

// Parts returns the state of each of n partitions of a topic.
func Parts(ctx context.Context, admin *kgo.Client, topic string, n int) ([]Part, error) {
	r := kmsg.NewPtrMetadataRequest()
	one := kmsg.NewMetadataRequestTopic()
	one.Topic = kmsg.StringPtr(topic)
	r.Topics = append(r.Topics, one)
	answer, err := r.RequestWith(ctx, admin)
	if err != nil {
		return nil, fmt.Errorf("request the partitions' leaders: %w", err)
	}
	out := slices.Repeat([]Part{{Leader: -1}}, n)
	for _, a := range answer.Topics {
		if err := kerr.ErrorForCode(a.ErrorCode); err != nil {
			return nil, fmt.Errorf("the partitions' leaders: %w", err)
		}
		for _, p := range a.Partitions {
			if int(p.Partition) < len(out) {
				out[p.Partition] = Part{p.Leader, len(p.ISR), p.Replicas}
			}
		}
	}
	return out, nil
}

// LastLeader returns the last broker that leads a partition: clients notice its end. 0: there is none.
func LastLeader(parts []Part) int {
	last := 0
	for _, p := range parts {
		last = max(last, int(p.Leader))
	}
	return last
}

func (c *Topic) parts(ctx context.Context) ([]Part, error) {
	return Parts(ctx, c.Admin, c.Name, c.Partitions)
}

// InSync implements Cluster.
func (c *Topic) InSync(ctx context.Context) (bool, error) {
	parts, err := c.parts(ctx)
	return err == nil && !slices.ContainsFunc(parts, func(p Part) bool { return p.Leader < 0 || p.InSync < max(c.Copies, len(p.Replicas)) }), err
}

// Joined implements Growing.
func (c *Topic) Joined(ctx context.Context, id int) (bool, error) {
	r := kmsg.NewPtrMetadataRequest()
	r.Topics = []kmsg.MetadataRequestTopic{}
	answer, err := r.RequestWith(ctx, c.Admin)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(answer.Brokers, func(b kmsg.MetadataResponseBroker) bool { return int(b.NodeID) == id }), nil
}

// reassigning bounds the answer of the controller, which only plans.
const reassigning = 15 * time.Second

// Reassign implements Growing.
func (c *Topic) Reassign(ctx context.Context, id int) error {
	parts, err := c.parts(ctx)
	if err != nil {
		return err
	}
	var now [][]int32
	for _, p := range parts {
		now = append(now, p.Replicas)
	}
	if c.target, err = Share(now, int32(id), func(b int32) string { return c.Rack(int(b)) }); err != nil {
		return err
	}
	c.added, c.elected = int32(id), false
	r := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	r.TimeoutMillis = int32(reassigning.Milliseconds())
	one := kmsg.NewAlterPartitionAssignmentsRequestTopic()
	one.Topic = c.Name
	for i, replicas := range c.target {
		if !slices.Equal(replicas, now[i]) {
			p := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
			p.Partition, p.Replicas = int32(i), replicas
			one.Partitions = append(one.Partitions, p)
		}
	}
	r.Topics = append(r.Topics, one)
	answer, err := r.RequestWith(ctx, c.Admin)
	if err == nil {
		err = kerr.ErrorForCode(answer.ErrorCode)
	}
	if err != nil {
		return fmt.Errorf("reassign partitions: %w", err)
	}
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
				return fmt.Errorf("reassign partition %d: %w", p.Partition, err)
			}
		}
	}
	return nil
}

// Reassigned implements Growing.
func (c *Topic) Reassigned(ctx context.Context) (bool, error) {
	parts, err := c.parts(ctx)
	if err != nil {
		return false, err
	}
	for i, p := range parts {
		if p.Leader < 0 || p.InSync < max(c.Copies, len(p.Replicas)) ||
			!slices.Equal(slices.Sorted(slices.Values(p.Replicas)), slices.Sorted(slices.Values(c.target[i]))) {
			return false, nil
		}
	}
	if !c.elected {
		return false, c.elect(ctx)
	}
	return !slices.ContainsFunc(c.toLead(), func(i int32) bool { return parts[i].Leader != c.added }), nil
}

// toLead returns the partitions that the added broker is the first replica of.
func (c *Topic) toLead() []int32 {
	var out []int32
	for i, replicas := range c.target {
		if replicas[0] == c.added {
			out = append(out, int32(i))
		}
	}
	return out
}

// elect has the added broker lead its part: a partition keeps the leader that it had, and by itself a cluster elects the first
// replica only every few minutes.
func (c *Topic) elect(ctx context.Context) error {
	r := kmsg.NewPtrElectLeadersRequest()
	r.TimeoutMillis = int32(reassigning.Milliseconds())
	one := kmsg.NewElectLeadersRequestTopic()
	one.Topic, one.Partitions = c.Name, c.toLead()
	if len(one.Partitions) > 0 {
		r.Topics = append(r.Topics, one)
		answer, err := r.RequestWith(ctx, c.Admin)
		if err == nil {
			err = kerr.ErrorForCode(answer.ErrorCode)
		}
		if err != nil {
			return fmt.Errorf("elect leaders: %w", err)
		}
		for _, t := range answer.Topics {
			for _, p := range t.Partitions {
				if err := kerr.ErrorForCode(p.ErrorCode); err != nil && !errors.Is(err, kerr.ElectionNotNeeded) {
					return fmt.Errorf("elect the leader of partition %d: %w", p.Partition, err)
				}
			}
		}
	}
	c.elected = true
	return nil
}

// Bytes implements Growing.
func (c *Topic) Bytes(ctx context.Context, id int) (int64, error) {
	r := kmsg.NewPtrDescribeLogDirsRequest()
	one := kmsg.NewDescribeLogDirsRequestTopic()
	one.Topic = c.Name
	for i := range c.Partitions {
		one.Partitions = append(one.Partitions, int32(i))
	}
	r.Topics = append(r.Topics, one)
	answer, err := c.Admin.Broker(id).Request(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("request the sizes of a broker's replicas: %w", err)
	}
	var sum int64
	for _, dir := range answer.(*kmsg.DescribeLogDirsResponse).Dirs {
		for _, t := range dir.Topics {
			for _, p := range t.Partitions {
				sum += p.Size
			}
		}
	}
	return sum, nil
}
