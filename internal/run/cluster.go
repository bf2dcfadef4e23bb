package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/agent/joint"
)

// Clustered has the machines of clusters know how many hosts these have, and all machines their zones, as far as
// the user's list of hosts states them.
func Clustered(machines map[string]record.Machine, clusters map[string][]string, zones map[string]string) {
	for host, zone := range zones {
		m := machines[host]
		m.Cloud.Zone = zone
		machines[host] = m
	}
	for host, others := range clusters {
		for _, h := range append([]string{host}, others...) {
			m := machines[h]
			m.Hosts = 1 + len(others)
			machines[h] = m
		}
	}
}

// servers returns the players that serve: the target, and the other members of its cluster.
func (c *concert) servers() []int {
	out := []int{0}
	for i := range c.order.Cluster {
		out = append(out, 1+len(c.order.Sources)+i)
	}
	return out
}

func (c *concert) isMember(player int) bool { return player > len(c.order.Sources) }

func (c *concert) isSource(player int) bool { return player > 0 && !c.isMember(player) }

// served returns a server's trial.
func (c *concert) served(player int) record.Trial {
	if c.isMember(player) {
		return c.others[player-1-len(c.parts)].trial
	}
	return c.target
}

func (c *concert) tellServers(word string) {
	for _, server := range c.servers() {
		c.commands[server] <- word
	}
}

// endEarly ends a concert in which a server could not even begin.
func (c *concert) endEarly(h heard, stop func()) {
	if h.msg.Trial.Void == "" || c.playing > len(c.servers()) {
		return
	}
	why := h.msg.Trial.Void
	if len(c.order.Cluster) > 0 {
		why = c.name(h.player) + ": " + why
		stop() // the others would wait for it
	}
	c.voidFor(why)
}

// keep takes a series of a player. Of a cluster's other members only those of its servers are told apart by their
// names; of the disks one member's may be the trial's.
func (c *concert) keep(player int, s record.Series) {
	switch {
	case player == 0:
		c.series = append(c.series, s)
	case c.isSource(player):
		c.parts[player-1].series = append(c.parts[player-1].series, s)
	case ofServer(s.Name):
		m := &c.others[player-1-len(c.parts)]
		m.series = append(m.series, s)
	case ofDisk(s.Name):
		m := &c.others[player-1-len(c.parts)]
		m.disk = append(m.disk, s)
	}
}

// ofFault reports whether a value is of what happened to a server, which is known on that server's host only.
func ofFault(name string) bool {
	return strings.HasPrefix(name, record.FaultPrefix) || strings.HasPrefix(name, record.AddPrefix)
}

// ofServer reports whether a series or a value is of one server of a cluster, by its name: broker.2.cpu, broker_2_cpu,
// standby_cpu.
func ofServer(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '_' })
	if len(words) > 1 && words[0] == record.Standby {
		return true
	}
	return len(words) > 2 && strings.Trim(words[1], "0123456789") == ""
}

// placed takes the place of a server, and tells all of them once they are known.
func (c *concert) placed(h heard) error {
	at := slices.Index(c.servers(), h.player)
	if at < 0 {
		return fmt.Errorf("%s: it has no place", c.name(h.player))
	}
	c.places[at], c.doors[at] = h.msg.Place, h.msg.Door
	if slices.Contains(c.places, "") {
		return nil
	}
	all := joint.Places{All: c.places, Zones: []string{}, Doors: c.doors}
	for i := range c.servers() {
		all.Zones = append(all.Zones, c.loop.Machines[memberOf(c.order, i).Host].Cloud.Zone)
	}
	for i, server := range c.servers() {
		all.Self = i + 1
		word, err := joint.Told(agent.WordJoin, all)
		if err != nil {
			return err
		}
		c.commands[server] <- word
	}
	return nil
}

// serving takes the address of a server, and starts the load once all serve.
func (c *concert) serving(ctx context.Context, h heard) {
	c.serve[slices.Index(c.servers(), h.player)] = agent.Serving{Address: h.msg.Address, Door: h.msg.Door}
	c.askClock(h.player)
	if !slices.ContainsFunc(c.serve, func(s agent.Serving) bool { return s.Address == "" }) {
		c.startLoad(ctx)
	}
}

// memberOf returns the order for server i of a cluster, counted from 0; the order itself if there is none.
func memberOf(o record.Order, i int) record.Order {
	if len(o.Cluster) == 0 {
		return o
	}
	o.Member = i + 1
	if i > 0 {
		o.Host = o.Cluster[i-1]
		o.ID = fmt.Sprintf("%s-n%d", o.ID, o.Member)
	}
	return o
}

// withMembers adds what the other members of a cluster measured to the target's half: the values of their servers,
// their CPU time, what disturbed them, and what their clocks were apart.
func (c *concert) withMembers() {
	if len(c.others) == 0 {
		return
	}
	t := &c.target
	t.Keys[record.KeyHosts] = fmt.Sprint(len(c.others) + 1)
	for i, m := range c.others {
		name := c.name(1 + len(c.parts) + i)
		if m.trial.Void != "" && t.Void == "" {
			t.Void = name + ": " + m.trial.Void
		}
		for _, v := range m.trial.Values {
			if ofServer(v.Name) || ofFault(v.Name) {
				t.Values = append(t.Values, v)
			}
		}
		shift := int64(m.clock.OffsetS * 1e9)
		for _, e := range m.events {
			if e.TimeNs += shift; record.IsServerEvent(e.Name) {
				c.events = append(c.events, e)
			}
		}
		slices.SortStableFunc(c.events, func(a, b record.Event) int { return cmp.Compare(a.TimeNs, b.TimeNs) })
		t.Members = append(t.Members, record.MemberHost{Machine: m.trial.Keys[record.KeyMachine],
			MachineID: m.trial.Keys[record.KeyMachineID], SourceClock: m.clock})
		t.Ledger = disturbed(t.Ledger, m.trial.Ledger)
		for _, d := range slices.Concat(clockDoubts(m.clock, 0), unlike(t.Keys, m.trial.Keys), m.trial.Doubts,
			note.Texts(trialset.Taints(m.trial))) {
			if said := name + ": " + d; !slices.Contains(t.Doubts, d) {
				t.Doubts = append(t.Doubts, said)
			}
		}
	}
	c.addCPU(t)
	c.addEnergy(t)
	c.withUse()
}

// unlike returns in what the engines of a cluster's hosts differ, whose trial has the first one's.
func unlike(first, other map[string]string) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(other)) {
		if strings.HasPrefix(key, record.EnginePrefix) && first[key] != other[key] {
			out = append(out, fmt.Sprintf("its %s is %s, and %s on the cluster's first host", key, other[key],
				cmp.Or(first[key], "none")))
		}
	}
	return out
}

// addCPU adds up the CPU time of all hosts; none if one of them did not measure it.
func (c *concert) addCPU(t *record.Trial) {
	if t.CPU == nil {
		return
	}
	sum := *t.CPU
	for _, m := range c.others {
		u := m.trial.CPU
		if u == nil {
			t.CPU = nil
			t.Values = slices.DeleteFunc(t.Values, func(v record.Value) bool { return v.Name == record.CPUPercent })
			return
		}
		sum.Work, sum.Machine, sum.CPUs = sum.Work+u.Work, sum.Machine+u.Machine, sum.CPUs+u.CPUs
	}
	t.CPU = &sum
	for i := range t.Values {
		if t.Values[i].Name == record.CPUPercent && sum.WindowS > 0 && sum.CPUs > 0 {
			t.Values[i].Value = 100 * sum.Machine / (sum.WindowS * float64(sum.CPUs))
		}
	}
}

// addEnergy adds up the energy of all hosts; none if one of them did not measure it.
func (c *concert) addEnergy(t *record.Trial) {
	hosts := []record.Trial{*t}
	for _, m := range c.others {
		hosts = append(hosts, m.trial)
	}
	t.Energy = nil
	var sum record.EnergyUse
	for _, host := range hosts {
		if host.Energy == nil {
			return
		}
		sum.CostS += host.Energy.CostS
		for _, p := range host.Energy.Parts {
			p.Host = host.Keys[record.KeyMachine]
			sum.Parts = append(sum.Parts, p)
		}
	}
	t.Energy = &sum
}
