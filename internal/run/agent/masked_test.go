package agent

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
)

// TestNothingOfASecretComesBack: no readable part of a message or an error contains it, even if the other side quotes
// its request.
func TestNothingOfASecretComesBack(t *testing.T) {
	const hidden = "geheim-4711"
	secrets := secret.Values{"T": []byte(hidden)}
	text := "it said " + hidden
	m := masked(Message{
		Trial: &record.Trial{Void: text, Doubts: []string{text}, Keys: map[string]string{"engine.x": text},
			Generator: &record.LoadUse{First: text}},
		Event: &record.Event{Detail: text}, Fault: &Fault{Message: text},
	}, secrets)
	if all := fmt.Sprintf("%+v %+v %+v %+v", *m.Trial, *m.Trial.Generator, *m.Event, *m.Fault); strings.Contains(all,
		hidden) || strings.Count(all, secret.Masked) != 6 {
		t.Error(all)
	}
	for _, err := range []error{Lost{Reason: text}, Unreachable{"ssh h", errors.New(text)}} {
		got := maskedError(err, secrets)
		if strings.Contains(got.Error(), hidden) || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", err) {
			t.Errorf("%v", got)
		}
	}
	if err := maskedError(nil, secrets); err != nil {
		t.Error(err)
	}
}

// TestOnlyWhatIsReferredToIsGiven: an agent gets the secrets of its sides, and none if it only describes its machine.
func TestOnlyWhatIsReferredToIsGiven(t *testing.T) {
	secrets := secret.Values{"A": []byte("a"), "B": []byte("b"), "@f": []byte("f")}
	side := record.Side{Params: record.Params{"header": "X: ${A}\n@f#1a2", "other": "$B $${B}"}}
	for _, req := range []Request{{Do: DoTrial, Order: &record.Order{Sides: []record.Side{side}}},
		{Do: DoPreflight, Side: &side}} {
		if got := given(secrets, req); len(got) != 2 || string(got["A"]) != "a" || string(got["@f"]) != "f" {
			t.Errorf("%s: %v", req.Do, got)
		}
	}
	if got := given(secrets, Request{Do: DoMachine}); len(got) != 0 {
		t.Error(got)
	}
}

// TestUnreachableHost: a host in place of the command that reaches it.
func TestUnreachableHost(t *testing.T) {
	failed := errors.New("exit status 127")
	if got := (Unreachable{"me@nowhere-of-mine", failed}).Error(); !strings.Contains(got, "hint: it isn't a command; "+
		"'ssh me@nowhere-of-mine' reaches the host") {
		t.Errorf("%s", got)
	}
	if got := (Unreachable{"ssh h", failed}).Error(); !strings.Contains(got, "hint: ssh h plimsoll agent </dev/null") {
		t.Errorf("%s", got)
	}
}
