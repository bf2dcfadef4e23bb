package agent

import (
	"context"
	"fmt"
	"net/netip"

	"plimsoll/internal/run/agent/door"
	"plimsoll/internal/workload"
)

// Serving is what one server of a target tells the generators.
type Serving struct {
	Address string `json:"address"`
	Door    uint16 `json:"door,omitempty"` // port at which it proves that the address is its own; 0: none
}

// aim finds out where to send the load. The target's word alone is not enough: every address that is not the user's has
// to be proven.
func (t *trial) aim(ctx context.Context) error {
	if len(t.servers) == 0 {
		return nil
	}
	o := t.order.Sides[0]
	spec, ok := workload.Find(t.agent.Workloads, o.Workload)
	if !ok || spec.Aim == nil {
		return fmt.Errorf("workload %q of plimsoll %s loads no other hosts\nhint: install the same version on all hosts",
			o.Workload, t.agent.Version)
	}
	said := make([]string, len(t.servers))
	for i, s := range t.servers {
		said[i] = s.Address
	}
	aim, err := spec.Aim(workload.NewParams(spec.Workload, o.Params).With(t.secrets), said)
	if err != nil {
		return err
	}
	for i, at := range aim.At {
		if !at.IsValid() {
			continue
		}
		if err := door.Ask(ctx, at.Addr(), t.servers[i].Door, t.key, said[i]); err != nil {
			return t.unproven(err)
		}
	}
	t.target = aim.Target
	return nil
}

// opened opens the door at the address that this host is going to tell, unless that is the user's word or no generator
// goes by it, as by that of a standby.
func (t *trial) opened(spec workload.Spec, p workload.Params, address string) (*door.Door, error) {
	if spec.Aim == nil {
		return nil, nil
	}
	aim, err := spec.Aim(p, []string{address})
	if err != nil || len(aim.At) == 0 || !aim.At[0].IsValid() {
		return nil, nil // a generator that goes by it finds the same error
	}
	return door.Open(aim.At[0].Addr(), t.key, address)
}

// openedAt likewise opens a member's door, at its place.
func (t *trial) openedAt(m workload.Member, p workload.Params, place string) (*door.Door, error) {
	at, err := m.At(place)
	if err != nil {
		return nil, err
	}
	if !workload.ToProve(p, netip.AddrPortFrom(at, 0)).IsValid() {
		return nil, nil
	}
	return door.Open(at, t.key, place)
}

// check returns an error unless the places of a cluster's other members are their own.
func (t *trial) check(ctx context.Context, m workload.Member, p workload.Params, all workload.Places) error {
	if len(all.Doors) != len(all.All) {
		return fmt.Errorf("the client tells %d places with %d ports that prove them", len(all.All), len(all.Doors))
	}
	for i, place := range all.All {
		at, err := m.At(place)
		if err != nil {
			return err
		}
		if i+1 == all.Self || !workload.ToProve(p, netip.AddrPortFrom(at, 0)).IsValid() {
			continue
		}
		if err := door.Ask(ctx, at, all.Doors[i], t.key, place); err != nil {
			return fmt.Errorf("host %d of the cluster's %d: %w\nhint: the hosts of a cluster need to reach each other at every "+
				"port: is there a firewall?", i+1, len(all.All), err)
		}
	}
	return nil
}

// unproven adds the way out to the error of an address that was not proven.
func (t *trial) unproven(err error) error {
	return fmt.Errorf("%w\nhint: can every port of that address be reached from here? one that --set %s.%s=ADDRESS "+
		"states needs no proof", err, t.order.Sides[0].Workload, workload.ParamAddress)
}
