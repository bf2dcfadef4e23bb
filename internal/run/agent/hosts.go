package agent

import (
	"context"
	"os"
	"sync"

	"plimsoll/internal/base/secret"
)

// Hosts starts agents on this host and on others.
type Hosts struct {
	Self string // path of this program
	// Bring carries it to a host by a command with the environment env, and returns its path there; nil: it is in the PATH
	// there.
	Bring func(ctx context.Context, host string, env []string) (string, error)
	Say   func(host, remark string) // of what a host has to say as it is described; nil: nobody listens

	secrets  secret.Values
	programs *sync.Map // by host
}

// HostsBy returns the hosts that are reached by a program, and, unless bring is nil, by what it brings there.
func HostsBy(self string, bring func(ctx context.Context, host string, env []string) (string, error)) Hosts {
	return Hosts{Self: self, Bring: bring, programs: &sync.Map{}}
}

// With returns the hosts whose agents are sent secrets. The hosts' commands see none but those that they name.
func (h Hosts) With(secrets secret.Values) Hosts {
	h.secrets = secrets
	return h
}

// Carry brings the program to a host if that is wanted, once.
func (h Hosts) Carry(ctx context.Context, host string) error {
	if h.Bring == nil || host == "" || h.program(host) != "" {
		return nil
	}
	at, err := h.Bring(ctx, host, h.secrets.Without(os.Environ(), host))
	if err == nil {
		h.programs.Store(host, at)
	}
	return err
}

// program returns where it was brought to on a host.
func (h Hosts) program(host string) string {
	at, _ := h.programs.Load(host)
	path, _ := at.(string)
	return path
}

// On returns the client for a host.
func (h Hosts) On(host string) Client {
	c := Client{On: host, Self: h.Self, Program: h.program(host), Secrets: h.secrets}
	if h.Say != nil {
		c.Say = func(remark string) { h.Say(host, remark) }
	}
	return c
}
