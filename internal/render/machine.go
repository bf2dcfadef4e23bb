package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Machine writes a machine's fingerprint as an aligned list in groups, what could
// not be read and what to beware of last. The error is the writer's.
func Machine(w io.Writer, style Style, m record.Machine) error {
	p := newPrinter(w, style)
	p.line(p.style.paint(strong, clean(m.Name)))
	groups := machineGroups(m)
	width := 0
	for _, f := range slices.Concat(groups...) {
		width = max(width, displayWidth(clean(f.Lead)))
	}
	for i, group := range groups {
		if i > 0 {
			p.gap()
		}
		for _, f := range group {
			f.Ink = dim
			p.note(2, f, width)
		}
	}
	if last := machineNotes(m); len(last) > 0 {
		p.gap()
		p.notes(2, last)
	}
	return p.err
}

// summary says in one line what a machine is.
func summary(m record.Machine) string {
	var memory string
	if m.Memory > 0 {
		memory = Quantity(float64(m.Memory), "B")
	}
	parts := nonEmpty(m.CPU.Model, m.Arch, cpuText(m.CPU), memory, m.OS, kernel(m))
	if m.Emulated != "" {
		parts = append(parts, "emulated by "+m.Emulated+": figures give no verdict")
	}
	return strings.Join(parts, ", ")
}

func kernel(m record.Machine) string {
	if m.Kernel == "" {
		return ""
	}
	return "kernel " + m.Kernel
}

func cpuText(c record.CPU) string {
	if c.Threads == 0 {
		return ""
	}
	text := count(c.Threads, "vCPU")
	if c.Cores > 0 {
		text += " on " + count(c.Cores, "core")
	}
	return text
}

// machineFacts lists what is known; a fact that could not be read is left out,
// because machineNotes names it.
func machineFacts(m record.Machine) []note { return slices.Concat(machineGroups(m)...) }

// machineGroups are the facts by what they are about: the CPU, the rest of the
// machine and whose it is, its settings, and its present state.
func machineGroups(m record.Machine) [][]note {
	groups := [][]note{
		{
			{Lead: "id", Text: m.ID},
			{Lead: "host", Text: m.Host},
			{Lead: "cpu", Text: strings.Join(nonEmpty(m.CPU.Vendor, m.CPU.Model, core(m.CPU), m.Arch), ", ")},
			{Lead: "topology", Text: topology(m)},
			{Lead: "sockets", Text: places(m.CPU.SocketCPUs)},
			{Lead: "numa nodes", Text: places(m.NodeCPUs)},
			{Lead: "caches", Text: caches(m.CPU.Caches)},
			{Lead: "usable cpus", Text: record.FormatCPUList(m.CPU.Allowed)},
			{Lead: "features", Text: features(m.CPU)},
		},
		slices.Concat([]note{
			{Lead: "memory", Text: bytesOrNone(m.Memory)},
			{Lead: "os", Text: strings.Join(nonEmpty(m.OS, kernel(m)), ", ")},
			{Lead: "cloud", Text: cloud(m.Cloud)},
			{Lead: "hypervisor", Text: m.Virt},
			{Lead: "emulated", Text: m.Emulated},
			{Lead: "cgroup", Text: cgroup(m.Cgroup)},
		}, diskNotes(m.Disks), nicNotes(m.NICs), []note{{Lead: "power", Text: power(m.Power)}}),
		settingNotes(m.Settings),
		{
			{Lead: "state", Text: state(m.State)},
			{Lead: "software", Text: software(m.Software)},
		},
	}
	var out [][]note
	for _, group := range groups {
		if group = slices.DeleteFunc(group, func(f note) bool { return f.Text == "" }); len(group) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// machineNotes are the doubts about a machine.
func machineNotes(m record.Machine) []note {
	var out []note
	if len(m.Unknown) > 0 {
		out = append(out, note{"unknown", warn, strings.Join(m.Unknown, ", ")})
	}
	return append(out, warningNotes(m.Warnings)...)
}

func topology(m record.Machine) string {
	parts := nonEmpty(cpuText(m.CPU))
	if m.CPU.Sockets > 0 {
		parts = append(parts, count(m.CPU.Sockets, "socket"))
	}
	if m.NUMA > 0 {
		parts = append(parts, count(m.NUMA, "NUMA node"))
	}
	if m.CPU.MHz > 0 {
		parts = append(parts, fmt.Sprintf("%.0f MHz", m.CPU.MHz))
	}
	return strings.Join(parts, ", ")
}

func caches(list []record.Cache) string {
	var parts []string
	for _, c := range list {
		text := fmt.Sprintf("L%d %s %s", c.Level, c.Type, Quantity(float64(c.Bytes), "B"))
		if c.Instances > 1 {
			text += fmt.Sprintf(" x %d", c.Instances)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func cgroup(c record.Cgroup) string {
	if c.Version == 0 {
		return ""
	}
	parts := []string{fmt.Sprintf("v%d", c.Version), "no CPU limit", "no memory limit", "not writable"}
	if c.CPUQuota > 0 {
		parts[1] = fmt.Sprintf("limit of %g CPUs", c.CPUQuota)
	}
	if c.MemoryLimit > 0 {
		parts[2] = "limit of " + bytesOrNone(c.MemoryLimit)
	}
	if c.Writable {
		parts[3] = "writable"
	}
	return strings.Join(parts, ", ")
}

func state(s record.State) string {
	parts := []string{fmt.Sprintf("load %.2f", s.Load1)}
	if s.StealPct != nil {
		parts = append(parts, "steal "+Quantity(*s.StealPct, "%"))
	}
	if s.RunDelayPct != nil {
		parts = append(parts, "run delay "+Quantity(*s.RunDelayPct, "%"))
	}
	if s.WakeP99S != nil {
		parts = append(parts, "an idle CPU wakes within "+Quantity(*s.WakeP99S, "s")+" (p99)")
	}
	return strings.Join(parts, ", ")
}

func software(s record.Software) string {
	var parts []string
	if s.Plimsoll != "" {
		parts = append(parts, "plimsoll "+s.Plimsoll)
	}
	return strings.Join(append(parts, nonEmpty(s.Go)...), ", ")
}

func bytesOrNone(n int64) string {
	if n <= 0 {
		return ""
	}
	return Quantity(float64(n), "B")
}
