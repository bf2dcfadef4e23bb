package fact

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

func id() Fact {
	return Fact{
		Key: "id", Group: Processor,
		Doc:  "[digest](hosts.md#names-of-machines) of the machine's ids, which aren't recorded themselves",
		Text: text(func(m record.Machine) string { return m.ID }),
	}
}

func hostName() Fact {
	return Fact{
		Key: "host", Group: Processor,
		Doc:  "host name, if results use another name",
		Text: text(func(m record.Machine) string { return m.Host }),
	}
}

func cpu() Fact {
	return Fact{
		Key: "cpu.model", Group: Processor, Lead: "cpu",
		Doc:   "vendor, model, core (such as `Neoverse V1`), architecture, stepping and microcode",
		Warns: "the topology is [hidden](#hidden-topology), or there are several kinds of CPUs (big.LITTLE)",
		Text: text(func(m record.Machine) string {
			return joined(m.CPU.Vendor, m.CPU.Model, coreName(m.CPU), m.Arch)
		}),
		Compare: func(m record.Machine) map[string]string {
			return map[string]string{"arch": m.Arch, "cpu": m.CPU.Model, "stepping": m.CPU.Stepping,
				"microcode": m.CPU.Microcode}
		},
		Advise: func(m record.Machine) []Advice {
			hidden := hiddenTopology(m)
			unlike := strings.Contains(m.CPU.Model, ", ") && strings.Contains(m.CPU.Model, "x ")
			return slices.Concat(
				advise(hidden != "", Hides, "read scaling between one CPU and all of them with care", "%s", hidden),
				advise(unlike, Hides, "measure on the CPUs of one kind, with taskset", "there are CPUs of unlike kinds: %s",
					m.CPU.Model),
			)
		},
	}
}

// coreName returns the microarchitecture, unless the model has it.
func coreName(c record.CPU) string {
	if strings.Contains(c.Model, c.Core) {
		return ""
	}
	return c.Core
}

func shape() Fact {
	return Fact{
		Key: "cpu.threads", Group: Processor, Lead: "topology",
		Doc:  "threads, cores, sockets, NUMA nodes, and the highest clock",
		Text: text(topology),
		Compare: func(m record.Machine) map[string]string {
			return map[string]string{"cores": known(int64(m.CPU.Cores)), "threads": known(int64(m.CPU.Threads)),
				"numa_nodes": known(int64(m.NUMA))}
		},
	}
}

func topology(m record.Machine) string {
	parts := []string{CPUs(m.CPU)}
	if m.CPU.Sockets > 0 {
		parts = append(parts, figure.Count(m.CPU.Sockets, "socket"))
	}
	if m.NUMA > 0 {
		parts = append(parts, figure.Count(m.NUMA, "NUMA node"))
	}
	if m.CPU.MHz > 0 {
		parts = append(parts, fmt.Sprintf("%.0f MHz", m.CPU.MHz))
	}
	return joined(parts...)
}

// CPUs returns the numbers of threads and cores: "8 vCPUs on 4 cores".
func CPUs(c record.CPU) string {
	if c.Threads == 0 {
		return ""
	}
	text := figure.Count(c.Threads, "vCPU")
	if c.Cores > 0 {
		text += " on " + figure.Count(c.Cores, "core")
	}
	return text
}

func sockets() Fact {
	return Fact{
		Key: "cpu.socket_cpus", Group: Processor, Lead: "sockets",
		Doc:  "CPUs of each socket, if there are several",
		Text: text(func(m record.Machine) string { return places(m.CPU.SocketCPUs) }),
	}
}

func nodes() Fact {
	return Fact{
		Key: "node_cpus", Group: Processor, Lead: "numa nodes",
		Doc:  "CPUs of each NUMA node, if there are several",
		Text: text(func(m record.Machine) string { return places(m.NodeCPUs) }),
	}
}

// places lists the CPUs of each socket or node. One place holds all CPUs, which the topology has already.
func places(lists []string) string {
	if len(lists) < 2 {
		return ""
	}
	var parts []string
	for i, list := range lists {
		parts = append(parts, fmt.Sprintf("%d: %s", i, list))
	}
	return strings.Join(parts, "; ")
}

func caches() Fact {
	return Fact{
		Key: "cpu.caches", Group: Processor, Lead: "caches",
		Doc: "level, kind, size and number",
		Text: func(m record.Machine, q Quantity) string {
			var parts []string
			for _, c := range m.CPU.Caches {
				text := fmt.Sprintf("L%d %s %s", c.Level, c.Type, q(float64(c.Bytes), "B"))
				if c.Instances > 1 {
					text += fmt.Sprintf(" x %d", c.Instances)
				}
				parts = append(parts, text)
			}
			return joined(parts...)
		},
	}
}

func usable() Fact {
	return Fact{
		Key: "cpu.allowed", Group: Processor, Lead: "usable cpus",
		Doc:     "CPUs that this process may use",
		Text:    text(func(m record.Machine) string { return record.FormatCPUList(m.CPU.Allowed) }),
		Compare: of("cpus_allowed", func(m record.Machine) string { return known(int64(len(m.CPU.Allowed))) }),
	}
}

func features() Fact {
	return Fact{
		Key: "cpu.features", Group: Processor, Lead: "features",
		Doc:  "instruction sets that choose code paths. `sve2 (128 bit)`: the length that this process may use",
		Text: text(func(m record.Machine) string { return featureText(m.CPU) }),
	}
}

func featureText(c record.CPU) string {
	names := featureNames()
	var parts []string
	for _, f := range c.Features {
		name := names[f]
		if (f == "sve" || f == "sve2") && c.SVEBits > 0 {
			name = fmt.Sprintf("%d bit", c.SVEBits)
		}
		if name != "" {
			f += " (" + name + ")"
		}
		parts = append(parts, f)
	}
	return strings.Join(parts, " ")
}

// featureNames returns common names for the less telling names of the kernel. Linux reports sha3
// for FEAT_SHA3, whose EOR3 serves the exclusive-or of parity.
func featureNames() map[string]string {
	return map[string]string{
		"atomics": "LSE", "sha3": "EOR3", "asimd": "NEON", "asimddp": "DOTPROD", "uscat": "LSE2", "ilrcpc": "RCPC2",
		"lrcpc":  "RCPC",
		"sha_ni": "SHA-NI", "pclmulqdq": "CLMUL",
	}
}
