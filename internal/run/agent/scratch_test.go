package agent

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestScratchCanBeEntered: by the user that runs a server, whatever our umask is; and shared files are there for the
// next trial.
func TestScratchCanBeEntered(t *testing.T) {
	defer unix.Umask(unix.Umask(0o077))
	b := newBench(t)
	req := b.order(closed(1), "keeps")
	req.Order.Sides[0].Workload = "keeper"
	trial, _ := b.one(req)
	kept := trial.Keys["keep"]
	if trial.Keys["modes"] != "711 711" || kept == "" || trial.Keys["session"] != req.Order.Plan {
		t.Errorf("modes %q, kept in %q, session %q", trial.Keys["modes"], kept, trial.Keys["session"])
	}
	if again, _ := b.one(req); again.Keys["keep"] != kept || again.Keys["kept"] == "" {
		t.Errorf("the second keeps it in %q, and found %q", again.Keys["keep"], again.Keys["kept"])
	}
	if err := b.client.Do(t.Context(), Request{Do: DoTidy, Plan: req.Order.Plan},
		func(Message) error { return nil }); err != nil {
		t.Error(err)
	}
}
