package agent

import (
	"context"
	"os"
	"sync"

	"plimsoll/internal/secret"
)

// Hosts starts agents on this host and on others.
type Hosts struct {
	Self string // path of this program
	// Bring carries it to a host by a command with the environment env, and returns its path there; nil: it is in the PATH there.
	Bring func(ctx context.Context, host string, env []string) (string, error)

	programs *sync.Map // by host
}

// HostsBy returns the hosts that are reached by a program, and, unless bring is nil, by what it brings there.
func HostsBy(self string, bring func(ctx context.Context, host string, env []string) (string, error)) Hosts {
	return Hosts{Self: self, Bring: bring, programs: &sync.Map{}}
}

// Carry brings the program to a host if that is wanted, once. The host's command sees no secrets but those that it names.
func (h Hosts) Carry(ctx context.Context, host string, secrets secret.Values) error {
	if h.Bring == nil || host == "" || h.program(host) != "" {
		return nil
	}
	at, err := h.Bring(ctx, host, secrets.Without(os.Environ(), host))
	h.programs.Store(host, at)
	return err
}

// program returns where it was brought to on a host.
func (h Hosts) program(host string) string {
	if h.programs == nil {
		return ""
	}
	at, _ := h.programs.Load(host)
	path, _ := at.(string)
	return path
}

// On returns the client for a host.
func (h Hosts) On(host string) Client {
	return Client{On: host, Self: h.Self, Program: h.program(host)}
}
