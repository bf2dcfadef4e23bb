package kafka

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/workload"
)

// there is the target's half if other hosts load existing brokers: nothing is started. The target is metered if the
// brokers run on it.
type there struct {
	params  workload.Params
	outside []string // brokers on other machines
	unknown error    // why they could not be listed
}

// finding bounds the time to list the brokers.
const finding = 10 * time.Second

// Start returns the first broker's address, for a message; generators have all of them from the parameters.
func (t *there) Start(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, finding)
	defer cancel()
	var hosts []string
	if hosts, t.unknown = hostsOf(ctx, t.params); t.unknown == nil {
		t.outside, t.unknown = notHere(ctx, hosts)
	}
	return brokers(t.params)[0], nil
}

// hostsOf returns the hosts of all brokers, as they advertise themselves to clients.
func hostsOf(ctx context.Context, p workload.Params) ([]string, error) {
	a, err := external(p)
	if err != nil {
		return nil, err
	}
	opts, err := a.common(p)
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	answer, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, client)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, b := range answer.Brokers {
		out = append(out, b.Host)
	}
	return out, nil
}

// notHere returns the hosts that have an address which is none of this machine's.
func notHere(ctx context.Context, hosts []string) ([]string, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, host := range hosts {
		addresses, err := net.DefaultResolver.LookupIPAddr(ctx, host)
		if err != nil {
			return nil, err
		}
		foreign := func(a net.IPAddr) bool {
			return !slices.ContainsFunc(all, func(own net.Addr) bool {
				n, ok := own.(*net.IPNet)
				return ok && n.IP.Equal(a.IP)
			})
		}
		if slices.ContainsFunc(addresses, foreign) {
			out = append(out, host)
		}
	}
	return out, nil
}

// Elsewhere implements workload.Elsewhere.
func (t *there) Elsewhere() bool { return t.unknown != nil || len(t.outside) > 0 }

// Doubts states the part of the brokers' work that is metered.
func (t *there) Doubts() []string {
	const not = "the CPU, disk, network and clocks of their machines are not measured"
	switch {
	case t.unknown != nil:
		return []string{fmt.Sprintf("it is unknown whether the brokers run on the target, so %s: %v", not, t.unknown)}
	case len(t.outside) > 0:
		return []string{fmt.Sprintf("brokers run on other machines than the target (%s), so %s", strings.Join(t.outside, ", "), not)}
	}
	return []string{"the brokers were not started by plimsoll: CPU, disk and network are those of the whole target, and no profile or version of them is known"}
}

// Verify does nothing: generators prove the delivery.
func (*there) Verify(context.Context) error { return nil }

// Close does nothing: generators delete their topics.
func (*there) Close() error { return nil }

// Heat implements workload.Heater: whether they have a JIT compiler is unknown.
func (*there) Heat() (w workload.Warming, compiles bool) { return w, false }
