package kafka

import (
	"errors"
	"maps"
	"reflect"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/kafka/brokerfault"
	"plimsoll/internal/workload/workloadtest"
)

func TestClustersThatCannotHoldTheTopic(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{paramReplication: "3"}, "replication=3 needs as many brokers, but nodes=1\nhint: --set kafka.nodes=3"},
		{record.Params{paramNodes: "3", paramReplication: "2", paramMinInsync: "3"}, "min_insync=3 exceeds replication=2"},
		{record.Params{paramNodes: "3", paramReplication: "3", paramMinInsync: "2", paramAcks: "1",
			paramIdempotence: "false"}, "min_insync=2 applies only with acks=all, but acks=1"},
		{record.Params{paramNodes: "2", paramRacks: "3"}, "racks=3 leaves racks without a broker"},
		{record.Params{paramBrokers: "a:1", paramNodes: "3"}, "nodes=3 applies only to a broker started for the run"},
		{record.Params{paramBrokers: "a:1", paramRacks: "2"}, "racks=2 applies only to a broker started for the run"},
	} {
		c.set[record.ParamClients] = "1"
		demand(t, workloadtest.Check(Spec(), params(c.set), record.Machine{}), c.want, "\nhint: ")
	}
	for _, set := range []record.Params{
		{paramNodes: "3", paramReplication: "3", paramMinInsync: "2", paramRacks: "3"},
		{paramBrokers: "a:1,b:1", paramReplication: "2", paramMinInsync: "2"},
	} {
		set[record.ParamClients] = "1"
		if err := workloadtest.Check(Spec(), params(set), record.Machine{}); err != nil {
			t.Errorf("%v: %v", set, err)
		}
	}
	demand(t, checkMemory(params(record.Params{paramNodes: "3", paramHeap: "1GiB"}), record.Machine{Memory: 2 << 30}),
		"for each of 3 brokers", "kafka.broker.heap=")
	if err := checkMemory(params(record.Params{paramNodes: "3", paramHeap: "1GiB"}),
		record.Machine{Memory: 2 << 30, Hosts: 3}); err != nil {
		t.Errorf("with a host for each: %v", err)
	}
}

func TestBrokersHaveWholeCores(t *testing.T) {
	cores := [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}
	for _, c := range []struct {
		work []int
		n    int
		want [][]int
	}{
		{[]int{0, 1, 2, 4, 5, 6}, 3, [][]int{{0, 4}, {1, 5}, {2, 6}}},
		{[]int{0, 1, 2, 4, 5}, 3, nil},                                      // a thread of the third core is another's
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, 3, [][]int{{0, 4}, {1, 5}, {2, 6}}}, // one is left over
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, 2, [][]int{{0, 1, 4, 5}, {2, 3, 6, 7}}},
	} {
		if got := setsOf(cores, c.work, c.n); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d brokers on %v: %v, want %v", c.n, c.work, got, c.want)
		}
	}
}

func TestLeadersAreCounted(t *testing.T) {
	if got := leadsOf([]brokerfault.Part{{Leader: 1}, {Leader: 3}, {Leader: 3}, {Leader: -1}}, 3); !reflect.DeepEqual(got,
		[]int{1, 0, 2}) {
		t.Errorf("%v", got)
	}
}

func TestReplicasTakeSpace(t *testing.T) {
	three := record.Params{paramNodes: "3", paramReplication: "3"}
	one, here, each := room(params(nil), 1), room(params(three), 1), room(params(three), 3)
	if here != 3*one || each != one || one == 0 {
		t.Errorf("%d, %d and %d bytes", one, here, each)
	}
	// Of 14 replicas a broker has 5 at most; the one that joins later has a disk of its own.
	seven := record.Params{paramNodes: "3", paramReplication: "2", paramPartitions: "7", paramRetention: "7MiB",
		paramFault: "add@50%"}
	partition := room(params(record.Params{paramPartitions: "7", paramRetention: "7MiB"}), 1) / 7
	if got := room(params(seven), 4); got != 5*partition {
		t.Errorf("%d bytes of partitions of %d", got, partition)
	}
	read := record.Params{paramMode: modeConsume, paramFill: "3GiB", paramNodes: "3", paramReplication: "2"}
	if got, want := room(params(read), 3), int64(2.5*(1<<30)); got != want {
		t.Errorf("%d bytes to read, want %d", got, want)
	}
}

func TestFaultsThatCannotBeTold(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{paramFault: "stop@50%"}, `fault: "stop@50%" is no fault`},
		{record.Params{paramNodes: "1"}, "is for a cluster of several brokers, but nodes=1"},
		{record.Params{paramMode: modeConsume}, "reads those written before"},
		{record.Params{paramPartitions: "2"}, "one of 3 brokers may lead none"},
		{record.Params{paramFault: "kill@25%,kill@50%"}, "has kill twice"},
		{record.Params{paramFault: "kill@50%,add@50%"}, "both happen at once"},
		{record.Params{paramFault: "add@50%", paramNodes: "5"}, "starts broker 6, and a cluster here has at most 5"},
		{record.Params{paramFault: "add@50%", paramPartitions: "3"}, "one of 4 brokers may lead none"},
		{record.Params{paramTimeout: "10s"}, "would fail that only wait for a new leader"},
		{record.Params{paramBrokers: "a:1", paramNodes: "1"}, "fault=kill@50% applies only to a broker started for the run"},
	} {
		set := record.Params{record.ParamClients: "1", paramNodes: "3", paramFault: "kill@50%", paramTimeout: "1m"}
		maps.Copy(set, c.set)
		demand(t, workloadtest.Check(Spec(), params(set), record.Machine{}), c.want, "\nhint: ")
	}
	set := record.Params{record.ParamClients: "1", paramNodes: "3", paramFault: "kill@50%", paramTimeout: "1m"}
	if err := errors.Join(workloadtest.Check(Spec(), params(set), record.Machine{}), checkServe(params(set))); err != nil {
		t.Error(err)
	}
}
