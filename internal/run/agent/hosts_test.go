package agent

import (
	"context"
	"errors"
	"slices"
	"testing"

	"plimsoll/internal/base/secret"
)

// TestCarriedOnce: what was brought is not brought again, but what could not be is tried anew; secrets go to the agent,
// and not to the host's command.
func TestCarriedOnce(t *testing.T) {
	t.Setenv("TOKEN", "hush")
	var tries int
	h := HostsBy("self", func(_ context.Context, _ string, env []string) (string, error) {
		if slices.Contains(env, "TOKEN=hush") {
			t.Error("the secret is in the environment of the host's command")
		}
		if tries++; tries == 1 {
			return "half", errors.New("noexec")
		}
		return "there", nil
	}).With(secret.Values{"TOKEN": []byte("hush")})
	for _, failed := range []bool{true, false, false} {
		if err := h.Carry(t.Context(), "ssh h"); (err != nil) != failed {
			t.Errorf("after %d tries: %v", tries, err)
		}
	}
	c := h.On("ssh h")
	if tries != 2 || c.Program != "there" || string(c.Secrets["TOKEN"]) != "hush" {
		t.Errorf("%d tries, %+v", tries, c)
	}
}
