package brokerfault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/base/list"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/workload/fault"
)

// Topic is the topic of a cluster to which faults happen.
type Topic struct {
	*broker.Instance
	Admin      *kgo.Client
	Name       string // "": all topics, those of several generators
	Partitions int    // of one topic
	Copies     int    // replicas of each
	target     []Part // the partitions after a reassignment
	added      int32  // the broker for which they were reassigned
	elected    bool   // it was asked to lead its part
}

// Part is the state of a partition.
type Part struct {
	Topic    string
	Index    int32
	Leader   int32 // -1: none
	InSync   int
	Replicas []int32
}

// Parts returns the state of each of n partitions of a topic, or, if it is "", of however many all topics have.
func Parts(ctx context.Context, admin *kgo.Client, topic string, n int) ([]Part, error) {
	r := kmsg.NewPtrMetadataRequest()
	if topic != "" {
		one := kmsg.NewMetadataRequestTopic()
		one.Topic = kmsg.StringPtr(topic)
		r.Topics = append(r.Topics, one)
	}
	answer, err := r.RequestWith(ctx, admin)
	if err != nil {
		return nil, fmt.Errorf("request the partitions' leaders: %w", err)
	}
	return partsIn(answer, topic, n)
}

// partsIn is Parts, by a broker's answer.
func partsIn(answer *kmsg.MetadataResponse, topic string, n int) ([]Part, error) {
	out := slices.Repeat([]Part{{Leader: -1}}, n)
	for i := range out {
		out[i].Topic, out[i].Index = topic, int32(i)
	}
	for _, a := range answer.Topics {
		if a.IsInternal {
			continue // nobody here writes to it
		}
		if err := kerr.ErrorForCode(a.ErrorCode); err != nil {
			return nil, fmt.Errorf("the partitions' leaders: %w", err)
		}
		for _, p := range a.Partitions {
			part := Part{*cmp.Or(a.Topic, &topic), p.Partition, p.Leader, len(p.ISR), p.Replicas}
			if topic == "" {
				out = append(out, part)
			} else if i := int(p.Partition); i >= 0 && i < len(out) {
				out[i] = part
			}
		}
	}
	slices.SortFunc(out, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Index, b.Index))
	})
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
	return err == nil && len(parts) > 0 && !slices.ContainsFunc(parts, c.lacks), err
}

// lacks reports whether a partition lacks its leader or a replica.
func (c *Topic) lacks(p Part) bool { return p.Leader < 0 || p.InSync < max(c.Copies, len(p.Replicas)) }

// tolerated is how many requests may fail after a broker was killed, looking apart.
const tolerated = 200

// again asks until there is an answer: connections to a killed broker end with an error, and its cluster may lack a
// controller.
func again[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	answer, err := ask(ctx)
	for tries := 0; err != nil && tries < tolerated && fault.Sleep(ctx, looking) == nil; tries++ {
		answer, err = ask(ctx)
	}
	return answer, err
}

// Leads returns an error unless a broker is the first replica of a partition, which its end is to be noticed by.
func (c *Topic) Leads(ctx context.Context, id int) error {
	parts, err := again(ctx, c.parts)
	if err == nil && !slices.ContainsFunc(parts, func(p Part) bool {
		return len(p.Replicas) > 0 && int(p.Replicas[0]) == id
	}) {
		err = fmt.Errorf("broker %d was killed and led no partition, so that nobody missed it\nhint: more partitions, "+
			"several for each broker", id)
	}
	return err
}

// brokers returns those that the cluster lists.
func (c *Topic) brokers(ctx context.Context) ([]kmsg.MetadataResponseBroker, error) {
	r := kmsg.NewPtrMetadataRequest()
	r.Topics = []kmsg.MetadataRequestTopic{}
	answer, err := r.RequestWith(ctx, c.Admin)
	if err != nil {
		return nil, fmt.Errorf("request the list of brokers: %w", err)
	}
	return answer.Brokers, nil
}

// Joined implements Growing.
func (c *Topic) Joined(ctx context.Context, id int) (bool, error) {
	all, err := c.brokers(ctx)
	return slices.ContainsFunc(all, func(b kmsg.MetadataResponseBroker) bool { return int(b.NodeID) == id }), err
}

// reassigning bounds the answer of the controller, which only plans.
const reassigning = 15 * time.Second

// Reassign implements Growing.
func (c *Topic) Reassign(ctx context.Context, id int) error {
	parts, err := again(ctx, c.parts)
	if err != nil {
		return err
	}
	all, err := again(ctx, c.brokers)
	if err != nil {
		return err
	}
	racks := map[int32]string{}
	for _, b := range all {
		if b.Rack != nil {
			racks[b.NodeID] = *b.Rack
		}
	}
	now := list.Map(parts, func(p Part) []int32 { return p.Replicas })
	shared, err := Share(now, int32(id), func(b int32) string { return racks[b] })
	if err != nil {
		return err
	}
	c.target, c.added, c.elected = parts, int32(id), false
	r := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	r.TimeoutMillis = int32(reassigning.Milliseconds())
	for i, replicas := range shared {
		c.target[i].Replicas = replicas
		if slices.Equal(replicas, now[i]) {
			continue
		}
		if n := len(r.Topics); n == 0 || r.Topics[n-1].Topic != parts[i].Topic {
			one := kmsg.NewAlterPartitionAssignmentsRequestTopic()
			one.Topic = parts[i].Topic
			r.Topics = append(r.Topics, one)
		}
		p := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
		p.Partition, p.Replicas = parts[i].Index, replicas
		one := &r.Topics[len(r.Topics)-1]
		one.Partitions = append(one.Partitions, p)
	}
	answer, err := again(ctx, func(ctx context.Context) (*kmsg.AlterPartitionAssignmentsResponse, error) {
		answer, err := r.RequestWith(ctx, c.Admin)
		if err == nil {
			err = kerr.ErrorForCode(answer.ErrorCode)
		}
		return answer, err
	})
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
	if err != nil || len(parts) != len(c.target) {
		return false, err
	}
	for i, p := range parts {
		if c.lacks(p) || !slices.Equal(slices.Sorted(slices.Values(p.Replicas)),
			slices.Sorted(slices.Values(c.target[i].Replicas))) {
			return false, nil
		}
	}
	if !c.elected {
		return false, c.elect(ctx)
	}
	for i, p := range parts {
		if c.leads(i) && p.Leader != c.added {
			return false, nil
		}
	}
	return true, nil
}

// leads reports whether the added broker is the first replica of a partition.
func (c *Topic) leads(i int) bool { return c.target[i].Replicas[0] == c.added }

// elect has the added broker lead its part: a partition keeps the leader that it had, and by itself a cluster elects
// the first replica only every few minutes.
func (c *Topic) elect(ctx context.Context) error {
	r := kmsg.NewPtrElectLeadersRequest()
	r.TimeoutMillis = int32(reassigning.Milliseconds())
	for i, p := range c.target {
		if !c.leads(i) {
			continue
		}
		if n := len(r.Topics); n == 0 || r.Topics[n-1].Topic != p.Topic {
			one := kmsg.NewElectLeadersRequestTopic()
			one.Topic = p.Topic
			r.Topics = append(r.Topics, one)
		}
		one := &r.Topics[len(r.Topics)-1]
		one.Partitions = append(one.Partitions, p.Index)
	}
	if len(r.Topics) > 0 {
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
	if c.Name != "" {
		one := kmsg.NewDescribeLogDirsRequestTopic()
		one.Topic = c.Name
		for i := range c.Partitions {
			one.Partitions = append(one.Partitions, int32(i))
		}
		r.Topics = append(r.Topics, one)
	}
	answer, err := again(ctx, func(ctx context.Context) (kmsg.Response, error) {
		return c.Admin.Broker(id).Request(ctx, r)
	})
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
