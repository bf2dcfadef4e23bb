package brokerfault

import (
	"errors"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// reached is the topic "t" of a cluster of two brokers.
func reached(t *testing.T) (*kfake.Cluster, *Topic) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(2), kfake.SeedTopics(4, "t"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	// It gives each partition to a broker by chance: once in sixteen clusters the last one would lead none.
	if err := c.MoveTopicPartition("t", 3, 1); err != nil {
		t.Fatal(err)
	}
	admin, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.RequestRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.Close)
	return c, &Topic{Admin: admin, Name: "t", Partitions: 4, Copies: 1}
}

// fails has so many requests of a kind end with their connection.
func fails(c *kfake.Cluster, kind kmsg.Key, times int) {
	for range times {
		c.ControlKey(kind.Int16(), func(kmsg.Request) (kmsg.Response, error, bool) { return nil, errors.New("killed"), true })
	}
}

// TestOddPartitions: a partition that can't be is left out.
func TestOddPartitions(t *testing.T) {
	var answer kmsg.MetadataResponse
	answer.Topics = []kmsg.MetadataResponseTopic{{Partitions: []kmsg.MetadataResponseTopicPartition{
		{Partition: -1, Leader: 7}, {Partition: 1, Leader: 2}, {Partition: 2, Leader: 8}}}}
	parts, err := partsIn(&answer, "t", 2)
	if err != nil || len(parts) != 2 || parts[0].Leader != -1 || parts[1].Leader != 2 {
		t.Errorf("%+v, %v", parts, err)
	}
}

// TestRequestsAfterAKill: what a killed broker does not answer is asked again.
func TestRequestsAfterAKill(t *testing.T) {
	c, topic := reached(t)
	parts, err := topic.parts(t.Context())
	if err != nil || LastLeader(parts) == 0 {
		t.Fatalf("%+v, %v", parts, err)
	}
	fails(c, kmsg.Metadata, 2)
	if err := topic.Leads(t.Context(), LastLeader(parts)); err != nil {
		t.Error(err)
	}
	fails(c, kmsg.DescribeLogDirs, 2)
	if _, err := topic.Bytes(t.Context(), 1); err != nil {
		t.Error(err)
	}
	fails(c, kmsg.Metadata, 2)
	fails(c, kmsg.AlterPartitionAssignments, 2)
	asked := 0
	c.ControlKey(kmsg.AlterPartitionAssignments.Int16(), func(r kmsg.Request) (kmsg.Response, error, bool) {
		asked++
		return r.ResponseKind(), nil, true
	})
	if err := topic.Reassign(t.Context(), 7); err != nil || asked != 1 {
		t.Errorf("%v, answered %d times", err, asked)
	}
}
