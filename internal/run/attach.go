package run

import (
	"context"
	"slices"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// atOnce bounds the connections that are opened at one time: an sshd through which all go, a jump host, drops some of
// more than 10 that have not logged in yet (MaxStartups).
const atOnce = 8

// Met is a host's machine, or why it did not tell.
type Met struct {
	Machine record.Machine
	Err     error
}

// Attach brings the program to all of these hosts at once, if that is wanted, and asks each for its machine.
func Attach(ctx context.Context, hosts []string, via agent.Hosts) map[string]Met {
	hosts = slices.Compact(slices.Sorted(slices.Values(hosts)))
	out := map[string]Met{}
	for i, m := range list.AtOnce(atOnce, hosts, func(host string) (m Met) {
		if m.Err = via.Carry(ctx, host); m.Err == nil {
			m.Machine, m.Err = via.On(host).Describe(ctx)
		}
		return m
	}) {
		out[hosts[i]] = m
	}
	return out
}
