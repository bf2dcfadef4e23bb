package engine

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// portTries bounds the attempts to find a free port when other programs take it first.
const portTries = 3

// Command starts a server in the foreground. It runs in the scratch directory of its instance.
type Command struct {
	Engine string // for messages
	Path   string
	Args   []string
	Env    []string // NAME=VALUE, beside the environment of Settings
	// ParentDeath is the signal sent to it when this process dies: SIGKILL, except for servers that have children of
	// their own to end.
	ParentDeath unix.Signal
	Certificate string // see Encrypted
	// Interrupt asks it to end; 0: SIGTERM.
	Interrupt unix.Signal
	// As is the user it runs as; nil: this process's own.
	As *syscall.Credential
}

// Launch starts a server and returns once it listens. configure receives the address, and may be called again with
// another one if a free port was taken before the server had it.
func Launch(ctx context.Context, s Settings, configure func(at netip.AddrPort) (Command, error)) (*Server, error) {
	for tries := 1; ; tries++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("start a server: %w", context.Cause(ctx))
		}
		at, err := s.address()
		if err != nil {
			return nil, err
		}
		c, err := configure(at)
		if err != nil {
			return nil, err
		}
		v, err := start(s, c, at)
		if err != nil {
			return nil, err
		}
		if err = v.ready(ctx); err == nil {
			v.endWith(ctx)
			return v, nil
		}
		err = errors.Join(err, v.Stop(ctx))
		if _, taken := try(at); s.Port != 0 || tries == portTries || ctx.Err() != nil || !errors.Is(taken, unix.EADDRINUSE) {
			return nil, err
		}
	}
}
