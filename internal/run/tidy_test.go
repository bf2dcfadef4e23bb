package run

import (
	"context"
	"errors"
	"strings"
	"testing"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// keeper is a host with a directory shared by trials until the run is over.
type keeper struct {
	script
	tidied []string // hashes of plans
	fail   error
}

func (k *keeper) Do(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	if req.Do != agent.DoTidy {
		return k.script.Do(ctx, req, handle)
	}
	k.tidied = append(k.tidied, req.Plan)
	return errors.Join(ctx.Err(), k.fail)
}

// TestWhatTrialsKeepIsRemoved: at the end, after an interrupt and after a failure; a remaining one is noted, and does
// not fail the run.
func TestWhatTrialsKeepIsRemoved(t *testing.T) {
	for name, c := range map[string]struct {
		step step
		fail error
		err  error
	}{
		"done":        {},
		"interrupted": {step: failing(context.Canceled), err: ErrInterrupted},
		"failed":      {step: failing(errors.New("so")), err: errors.New("so")},
		"not removed": {fail: errors.New("it is in use")},
	} {
		b := newBench(commands(t, 1, "true"), c.step)
		host := &keeper{script: *b.agent, fail: c.fail}
		b.Agents[""], b.Keeps = host, []string{""}
		ctx, cancel := context.WithCancel(t.Context())
		if name == "interrupted" {
			cancel()
		}
		_, err := b.Run(ctx, nil)
		cancel()
		if (err == nil) != (c.err == nil) || err != nil && err.Error() != c.err.Error() {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
		if len(host.tidied) != 1 || host.tidied[0] != plan.Hash(b.Plan) || len(b.session.ends) != 1 {
			t.Errorf("%s: tidied %v, session ended %d times", name, host.tidied, len(b.session.ends))
		}
		if said := strings.Contains(strings.Join(b.told.lines, "\n"),
			"note not tidied up on m: it is in use"); said != (c.fail != nil) {
			t.Errorf("%s: %q", name, b.told.lines)
		}
	}
	b := newBench(commands(t, 1, "true"))
	host := &keeper{script: *b.agent}
	b.Agents[""] = host
	if _, err := b.Run(t.Context(), []record.Trial{}); err != nil || len(host.tidied) > 0 {
		t.Errorf("a host that keeps nothing was told %v (%v)", host.tidied, err)
	}
}
