package carry

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/run/agent"
)

// Hosts returns how this program reaches hosts: by the one in their PATH, or by itself, which it brings there, and says
// so. dir has the programs for other architectures; "" is the directory of this one.
func Hosts(brings bool, dir string, say io.Writer) (agent.Hosts, error) {
	self, err := os.Executable()
	if err != nil {
		return agent.Hosts{}, fmt.Errorf("finding this program, which carries out the runs: %w", err)
	}
	if !brings {
		if dir != "" {
			return agent.Hosts{}, usage.Errorf("--binaries goes with --deploy: nothing else uses it")
		}
		return agent.HostsBy(self, nil), nil
	}
	from := Of(self, dir)
	var saying sync.Mutex // to several hosts at once
	return agent.HostsBy(self, func(ctx context.Context, host string, env []string) (string, error) {
		b, err := Bring(ctx, host, env, from)
		if err == nil && b.Sent > 0 {
			saying.Lock()
			defer saying.Unlock()
			fmt.Fprintf(say, "plimsoll: carried %.1f MB for %s through %q to %s\n", float64(b.Sent)/1e6, b.Arch, host, b.Program)
		}
		return b.Program, err
	}), nil
}
