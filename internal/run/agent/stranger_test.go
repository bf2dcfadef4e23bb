package agent

import (
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// TestStrangersAreNotWaitedFor: of what is no agent, and not going to be one, a client waits for strangerGrace and not
// for its patience, whether it goes on printing, ignores its input's end, or is of another version. So the wait is an
// hour here, and no load of the machine makes a second of one.
func TestStrangersAreNotWaitedFor(t *testing.T) {
	simtest.Forks(t)
	for name, on := range map[string]string{
		"endless":         "exec yes;:",
		"zeros":           "exec cat /dev/zero;:",
		"another version": `echo '{"kind":"hello","protocol":-1,"version":"v0"}'; exec sleep 7200;:`,
		"a greeting":      `trap '' TERM HUP; echo welcome; exec sleep 7200;:`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			client := Client{On: on, Silence: time.Hour, Grace: time.Hour, Answer: time.Hour}
			if _, err := client.Describe(t.Context()); err == nil {
				t.Error("it described a machine")
			}
			if took := time.Since(began); took > 10*time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}
