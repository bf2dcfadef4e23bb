package run

import (
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// LostIn returns the hosts that a plan's run lost, each once.
func LostIn(events []record.Event, hash string) []record.Event {
	var out []record.Event
	for _, e := range events {
		if e.Name == record.HostLost && e.Plan == hash &&
			!slices.ContainsFunc(out, func(o record.Event) bool { return o.Host == e.Host }) {
			out = append(out, e)
		}
	}
	return out
}

// Empty returns a text for each cell without a valid trial. Of a host that is lost another one of its type has to have
// one.
func Empty(p record.Plan, machines map[string]record.Machine, trials []record.Trial, lost []record.Event) []string {
	valid, why := map[int]bool{}, map[int]string{}
	for _, t := range trials {
		if t.Measures() {
			valid[t.Cell] = true
		} else if t.Counts() {
			why[t.Cell] = t.Void
		}
	}
	var out []string
	for i, c := range p.Cells {
		at := slices.IndexFunc(lost, func(e record.Event) bool { return c.On(e.Host) })
		if valid[i] || at >= 0 && standIn(p, machines, i, valid) {
			continue
		}
		where := ""
		if at >= 0 {
			where, why[i] = " on "+lost[at].Machine, "it was lost: "+lost[at].Detail
		}
		out = append(out, fmt.Sprintf("no valid run of %s at %s%s: %s", c.Workload, record.LoadText(c.Load.Key()), where,
			why[i]))
	}
	return out
}

// standIn reports whether another machine of the type of a cell's has a valid trial of the same.
func standIn(p record.Plan, machines map[string]record.Machine, cell int, valid map[int]bool) bool {
	c := p.Cells[cell]
	m := machines[c.Host]
	for i, o := range p.Cells {
		like := o.Workload == c.Workload && maps.Equal(o.Params, c.Params) && o.Load == c.Load
		if other := machines[o.Host]; like && valid[i] && m.Cloud.Type != "" && m.Cloud.Type == other.Cloud.Type {
			return true
		}
	}
	return false
}

// RecordedAs returns the index of a machine in a session; negative if it is missing. Several hosts may be one machine,
// each with its own line: the one with the present name takes precedence. If another version computed another identity
// for the same machine, the boot identifies it until the next reboot.
func RecordedAs(m record.Machine, recorded []record.Machine) int {
	same := func(r record.Machine) bool { return r.ID == m.ID }
	booted := func(r record.Machine) bool {
		return m.State.Boot != "" && r.State.Boot == m.State.Boot && r.CPU.Threads == m.CPU.Threads && r.Memory == m.Memory
	}
	for _, is := range []func(record.Machine) bool{same, booted} {
		if at := slices.IndexFunc(recorded, func(r record.Machine) bool { return is(r) && r.Name == m.Name }); at >= 0 {
			return at
		}
		if at := slices.IndexFunc(recorded, is); at >= 0 {
			return at
		}
	}
	return -1
}
