package kafka

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/base/list"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kafka/brokerfault"
)

// topicMark begins the topic names that we choose.
const topicMark = "plimsoll-"

// topic is a topic that we made.
type topic struct {
	name       string
	partitions int
	admin      *kgo.Client
	gone       bool // its deletion was requested
}

// The bounds of a segment's size: Kafka's minimum, and its default.
const (
	leastSegment = 1 << 20
	mostSegment  = 1 << 30
)

// makeTopic makes a topic. An existing one with that name is somebody else's, and is left alone. A topic that was,
// or may have been, made is returned along with the error.
func makeTopic(ctx context.Context, admin *kgo.Client, p workload.Params) (*topic, error) {
	t := &topic{name: p.Text(paramTopic), partitions: p.Int(paramPartitions), admin: admin}
	random := t.name == ""
	if random {
		t.name = topicMark + rand.Text()
	}
	r := kmsg.NewPtrCreateTopicsRequest()
	one := kmsg.NewCreateTopicsRequestTopic()
	one.Topic, one.NumPartitions, one.ReplicationFactor = t.name, int32(t.partitions), int16(p.Int(paramReplication))
	for name, value := range t.configs(p) {
		c := kmsg.NewCreateTopicsRequestTopicConfig()
		c.Name, c.Value = name, kmsg.StringPtr(strconv.Itoa(value))
		one.Configs = append(one.Configs, c)
	}
	r.Topics = append(r.Topics, one)
	answer, err := r.RequestWith(ctx, admin)
	if err != nil {
		err = fmt.Errorf("%s: make a topic: %w\nhint: %s", Name, err, reachHint(err))
		if random && ctx.Err() != nil { // the broker may still make it
			return t, err
		}
		return nil, err
	}
	for _, made := range answer.Topics {
		err := kerr.ErrorForCode(made.ErrorCode)
		if random && errors.Is(err, kerr.TopicAlreadyExists) {
			continue // nobody else has one of that name: the library has asked twice
		}
		if err != nil {
			return nil, t.refused(err, made.ErrorMessage)
		}
	}
	return t, t.led(ctx)
}

// led waits until each partition has a leader that serves it: earlier records are refused, and lost silently without
// acknowledgements.
func (t *topic) led(ctx context.Context) error {
	for {
		_, err := t.offsets(ctx, atEnd)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s: the partitions of a new topic have no leader, %w: %w", Name, context.Cause(ctx), err)
		}
	}
}

func (t *topic) refused(err error, message *string) error {
	if errors.Is(err, kerr.TopicAlreadyExists) {
		return fmt.Errorf("%s: the topic %s exists and is not ours: nothing was written to it\nhint: leave out "+
			"%s.%s", Name, t.name, Name, paramTopic)
	}
	said := ""
	if message != nil {
		said = ": " + *message
	}
	return fmt.Errorf("%s: make the topic %s: %w%s", Name, t.name, err, said)
}

// configs returns the topic's settings, which bound its log and accept our batches.
func (t *topic) configs(p workload.Params) map[string]int {
	keeps, segment := bounds(p, t.partitions)
	if consumes(p) {
		keeps = -1 // it stays as large as it was filled
	}
	return map[string]int{
		"max.message.bytes": largestMessage(p),
		"retention.bytes":   keeps,
		"segment.bytes":     segment,

		"min.insync.replicas": p.Int(paramMinInsync),
	}
}

// largestMessage returns the size of the largest batch sent, in bytes, with its header.
func largestMessage(p workload.Params) int { return p.Int(paramBatch) + recordOverhead }

// bounds returns the bytes that one of n partitions keeps, and those of its segments, which are deleted as a whole:
// half of that, but no less than Kafka's minimum and a batch, and no more than Kafka's default.
func bounds(p workload.Params, n int) (keeps, segment int) {
	keeps = max(p.Int(paramRetention)/n, leastSegment)
	return keeps, min(max(keeps/2, largestMessage(p), leastSegment), mostSegment)
}

func (t *topic) delete(ctx context.Context) error {
	r := kmsg.NewPtrDeleteTopicsRequest()
	one := kmsg.NewDeleteTopicsRequestTopic()
	one.Topic = kmsg.StringPtr(t.name)
	r.Topics, r.TopicNames = append(r.Topics, one), append(r.TopicNames, t.name)
	answer, err := r.RequestWith(ctx, t.admin)
	if err == nil {
		for _, gone := range answer.Topics {
			if code := kerr.ErrorForCode(gone.ErrorCode); !errors.Is(code, kerr.UnknownTopicOrPartition) { // it was not made
				err = errors.Join(err, code)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: delete the topic %s: %w", Name, t.name, err)
	}
	return nil
}

// The special timestamps of an offset request.
const (
	atStart = -2
	atEnd   = -1
)

// offsets returns the first or the next offset of each partition.
func (t *topic) offsets(ctx context.Context, which int64) ([]int64, error) {
	r := kmsg.NewPtrListOffsetsRequest()
	r.ReplicaID = -1
	one := kmsg.NewListOffsetsRequestTopic()
	one.Topic = t.name
	for i := range t.partitions {
		part := kmsg.NewListOffsetsRequestTopicPartition()
		part.Partition, part.Timestamp = int32(i), which
		one.Partitions = append(one.Partitions, part)
	}
	r.Topics = append(r.Topics, one)
	answer, err := r.RequestWith(ctx, t.admin)
	if err != nil {
		return nil, fmt.Errorf("%s: request offsets: %w", Name, err)
	}
	return offsetsIn(answer, t.partitions)
}

// offsetsIn returns the offset of each of n partitions in a broker's answer.
func offsetsIn(answer *kmsg.ListOffsetsResponse, n int) ([]int64, error) {
	out, found := make([]int64, n), map[int32]bool{}
	for _, a := range answer.Topics {
		for _, part := range a.Partitions {
			if err := kerr.ErrorForCode(part.ErrorCode); err != nil {
				return nil, fmt.Errorf("%s: the offset of partition %d: %w", Name, part.Partition, err)
			}
			if i := int(part.Partition); i >= 0 && i < n {
				out[i], found[part.Partition] = part.Offset, true
			}
		}
	}
	if len(found) != n {
		return nil, fmt.Errorf("%s: got offsets of %d partitions, out of %d", Name, len(found), n)
	}
	return out, nil
}

// parts returns the state of each partition.
func (t *topic) parts(ctx context.Context) ([]brokerfault.Part, error) {
	out, err := brokerfault.Parts(ctx, t.admin, t.name, t.partitions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	return out, nil
}

// uneven returns a warning if some brokers of a cluster that we have started lead more partitions than others.
func (t *topic) uneven(ctx context.Context, p workload.Params) ([]string, error) {
	nodes := p.Int(paramNodes)
	if nodes < 2 {
		return nil, nil
	}
	parts, err := t.parts(ctx)
	if err != nil {
		return nil, err
	}
	leads := leadsOf(parts, nodes)
	if slices.Min(leads) == slices.Max(leads) {
		return nil, nil
	}
	return []string{fmt.Sprintf("brokers lead different numbers of partitions (%s): some have more to do than others; "+
		"a multiple of %d as %s spreads them evenly",
		strings.Join(list.Map(leads, func(n int) string { return fmt.Sprint(n) }), ", "), nodes, paramPartitions)}, nil
}

// leadsOf counts the partitions that each of n brokers leads.
func leadsOf(parts []brokerfault.Part, n int) []int {
	leads := make([]int, n)
	for _, p := range parts {
		if i := int(p.Leader) - 1; i >= 0 && i < n {
			leads[i]++
		}
	}
	return leads
}
