package kafka

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestBrokersWhoseMachineIsMetered: those on the target, by what they say of themselves, and no others.
func TestBrokersWhoseMachineIsMetered(t *testing.T) {
	_, at := cluster(t, kfake.NumBrokers(2))
	for name, c := range map[string]struct {
		brokers, doubt string
		elsewhere      bool
	}{
		"on the target":        {at, "those of the whole target", false},
		"nobody knows":         {"127.0.0.1:1", "it is unknown whether the brokers run on the target", true},
		"without a connection": {"nowhere.invalid:9092", "it is unknown whether the brokers run on the target", true},
	} {
		p := params(record.Params{paramBrokers: c.brokers, paramTimeout: "1s"})
		s, err := newServing(workload.Env{}, p)
		if err != nil || checkServe(p) != nil {
			t.Fatalf("%s: %v, %v", name, err, checkServe(p))
		}
		said, err := s.Start(t.Context())
		if err != nil || said != brokers(p)[0] {
			t.Errorf("%s: %q, %v", name, said, err)
		}
		doubts := s.(workload.Doubter).Doubts()
		if s.(workload.Elsewhere).Elsewhere() != c.elsewhere || len(doubts) != 1 || !strings.Contains(doubts[0], c.doubt) {
			t.Errorf("%s: %v", name, doubts)
		}
	}
	for host, foreign := range map[string]bool{"127.0.0.1": false, "::1": false, "192.0.2.1": true} {
		got, err := workload.NotHere(t.Context(), []string{host})
		if err != nil || (len(got) == 1) != foreign {
			t.Errorf("%s is not here: %v, %v", host, got, err)
		}
	}
}

// TestGeneratorOfBrokersThatAreThere loads the brokers of the parameters, whatever the target says, and leaves no
// topic.
func TestGeneratorOfBrokersThatAreThere(t *testing.T) {
	c, at := cluster(t, kfake.NumBrokers(1))
	made, err := newDriver(workload.Env{Lanes: 1, Target: "192.0.2.1:1"}, params(loaded(nil, at, closed(2))))
	if err != nil {
		t.Fatal(err)
	}
	d := made.(*driver)
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := d.topic.name
	if c.TopicInfo(name) == nil {
		t.Errorf("there is no topic %s", name)
	}
	if err := d.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if c.TopicInfo(name) != nil {
		t.Errorf("the topic %s is left", name)
	}
}
