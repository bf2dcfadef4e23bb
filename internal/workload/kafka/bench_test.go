package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// The parts of the benchmark are processes of this test binary, so that each can be pinned and metered as the peers
// are; scripts/bench-kafka runs them. The environment selects a process's part.
const (
	// start a broker in this directory, say where it is, and end with the standard input
	envServe  = "PLIMSOLL_KAFKA_SERVE"
	envClient = "PLIMSOLL_KAFKA_CLIENT" // produce to this broker
	envMeter  = "PLIMSOLL_KAFKA_METER"  // run the command that the arguments are, and say what CPU time it took
	// for that command: broker on which it finds a topic of its own, whose name stands for {topic}
	envAt  = "PLIMSOLL_KAFKA_AT"
	envSet = "PLIMSOLL_KAFKA_SET" // parameters of the workload, NAME=VALUE, with spaces between
	envFor = "PLIMSOLL_KAFKA_FOR" // how long the client produces
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(envMeter) != "":
		workloadtest.Exit(meter(os.Args[1:]))
	case os.Getenv(envServe) != "":
		workloadtest.Exit(benchServe(os.Getenv(envServe)))
	case os.Getenv(envClient) != "":
		workloadtest.Exit(benchClient(os.Getenv(envClient)))
	}
	os.Exit(m.Run())
}

// benchParams are the workload's, with those that the environment sets.
func benchParams(more record.Params) workload.Params {
	set := record.Params{}
	for _, word := range strings.Fields(os.Getenv(envSet)) {
		name, v, _ := strings.Cut(word, "=")
		set[name] = v
	}
	for name, v := range more {
		set[name] = v
	}
	return params(set)
}

// benchServe is a broker as a trial starts it.
func benchServe(dir string) error {
	s, err := newServer(workload.Env{Scratch: dir}, benchParams(nil))
	if err != nil {
		return err
	}
	a, err := s.start(context.Background())
	if err == nil {
		fmt.Println("broker " + a.seeds[0])
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	return errors.Join(err, s.close())
}

// benchClient produces as the agent would, in a process that is the generator as a whole. Its output is in the
// format that scripts/bench-kafka parses.
func benchClient(at string) error {
	length, err := time.ParseDuration(os.Getenv(envFor))
	if err != nil {
		return err
	}
	made, err := newDriver(workload.Env{Lanes: 1, Seed: uint64(time.Now().UnixNano())},
		benchParams(record.Params{paramBrokers: at, record.ParamClients: "1"}))
	if err != nil {
		return err
	}
	d := made.(*driver)
	defer d.Close()
	ctx := context.Background()
	if err := d.Prepare(ctx); err != nil {
		return err
	}
	g, err := load.New(load.Config{Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamClients},
		Lanes: 1, Seed: 1, Duration: length})
	if err != nil {
		return err
	}
	lane, err := d.Lane(0)
	if err != nil {
		return err
	}
	g.Start(g.Clock().Now())
	if err := lane.Run(ctx, g.Lane(0)); err != nil {
		return err
	}
	g.Lane(0).Leave()
	r := g.Result()
	sum := d.sum()
	ends, err := d.topic.offsets(ctx, atEnd)
	if err != nil {
		return err
	}
	if err := sum.compare(ends).fault(); err != nil {
		return err
	}
	fmt.Printf("records %d\nrate %.3f\nerrors %d\nbatch %.1f\n", sum.count, r.OpsPerSecond, len(r.Errors),
		float64(d.batches.records.Load())/float64(d.batches.count.Load()))
	return d.Close()
}

// meter runs a command and prints the CPU seconds of it, from its start to its end, and how many records the topic has
// that it was given.
func meter(args []string) error {
	t, done, err := benchTopic(os.Getenv(envAt))
	if err != nil {
		return err
	}
	defer done()
	for i := range args {
		if t != nil {
			args[i] = strings.ReplaceAll(args[i], "{topic}", t.name)
		}
	}
	if err := workloadtest.Metered(args, envMeter); err != nil {
		return err
	}
	if t == nil {
		return nil
	}
	ends, err := t.offsets(context.Background(), atEnd)
	if err != nil {
		return err
	}
	fmt.Printf("logged %d\n", ends[0])
	return nil
}

// benchTopic makes a topic as a trial would, with one partition; nil if there is no broker.
func benchTopic(at string) (*topic, func(), error) {
	if at == "" {
		return nil, func() {}, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), connecting)
	defer cancel()
	admin, err := kgo.NewClient(kgo.SeedBrokers(at), kgo.DisableClientMetrics())
	if err != nil {
		return nil, nil, err
	}
	t, err := makeTopic(ctx, admin, benchParams(record.Params{paramPartitions: "1"}))
	if err != nil {
		admin.Close()
		return nil, nil, err
	}
	return t, func() {
		ctx, cancel := context.WithTimeout(context.Background(), connecting)
		defer cancel()
		_ = t.delete(ctx) // the broker goes soon
		admin.Close()
	}, nil
}

// benchParts: the commands of scripts/bench-kafka work.
func benchParts(t *testing.T, at string) {
	for _, c := range []struct {
		env, want []string
		args      []string
	}{
		{[]string{envClient + "=" + at, envFor + "=200ms", envSet + "=partitions=1 record_size=100B"},
			[]string{"records ", "\nrate ", "\nerrors 0\n", "\ncpu 0."}, []string{os.Args[0]}},
		{[]string{envAt + "=" + at}, []string{"the topic plimsoll-", "\ncpu 0.", "\nlogged 0\n"},
			[]string{"echo", "the topic {topic}"}},
	} {
		cmd := exec.Command(os.Args[0], c.args...)
		cmd.Env = append(append(os.Environ(), envMeter+"=1"), c.env...)
		out, err := cmd.CombinedOutput()
		for _, word := range c.want {
			if err != nil || !strings.Contains(string(out), word) {
				t.Fatalf("%v: no %q in %s", err, word, out)
			}
		}
	}
}
