package fact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

func memory() Fact {
	return Fact{
		Key: "memory_bytes", Group: Place, Lead: "memory",
		Doc:     "memory that the kernel manages",
		Text:    func(m record.Machine, q Quantity) string { return size(m.Memory, q) },
		Compare: of("memory_bytes", func(m record.Machine) string { return known(m.Memory) }),
	}
}

func system() Fact {
	return Fact{
		Key: "os", Group: Place,
		Doc: "distribution and kernel",
		Text: text(func(m record.Machine) string {
			return joined(m.OS, Kernel(m))
		}),
		Compare: func(m record.Machine) map[string]string { return map[string]string{"os": m.OS, "kernel": m.Kernel} },
	}
}

// Kernel returns "kernel" and its release, or "" if that is not known.
func Kernel(m record.Machine) string {
	if m.Kernel == "" {
		return ""
	}
	return "kernel " + m.Kernel
}

func cloud() Fact {
	return Fact{
		Key: "cloud", Group: Place,
		Doc:   "provider and, on EC2, instance type, by the firmware",
		Warns: "it is an EC2 T type, which runs on burst credits",
		Text:  text(func(m record.Machine) string { return cloudText(m.Cloud) }),
		Advise: func(m record.Machine) []Advice {
			return advise(burstable(m.Cloud), Hides, "measure on a type with a fixed share of its CPUs",
				"%s is a burstable type: its CPUs slow down when its credits are spent", m.Cloud.Type)
		},
	}
}

func cloudText(c record.Cloud) string {
	place := c.Zone
	switch {
	case !strings.HasPrefix(c.Zone, c.Region) && c.Zone != "": // Azure numbers its zones
		place = c.Region + " zone " + c.Zone
	case c.Zone == "":
		place = c.Region
	}
	return joined(c.Provider, c.Type, place)
}

// burstable reports whether a type runs on credits, as the T types of EC2 do.
func burstable(c record.Cloud) bool {
	family, _, _ := strings.Cut(c.Type, ".")
	return c.Provider == record.CloudAWS && slices.Contains([]string{"t1", "t2", "t3", "t3a", "t4g"}, family)
}

func hypervisor() Fact {
	return Fact{
		Key: "hypervisor", Group: Place,
		Doc:     "kind and product name",
		Text:    text(func(m record.Machine) string { return m.Virt }),
		Compare: of("hypervisor", func(m record.Machine) string { return m.Virt }),
	}
}

func emulated() Fact {
	return Fact{
		Key: "emulated", Group: Place,
		Doc:   "CPU emulator: `qemu-user` or `tcg`",
		Warns: "the CPU is emulated",
		Text:  text(func(m record.Machine) string { return m.Emulated }),
		Advise: func(m record.Machine) []Advice {
			return advise(m.Emulated != "", Invalidates, "",
				"%s emulates the CPU: figures say nothing about hardware and get no verdict", m.Emulated)
		},
	}
}

func cgroup() Fact {
	return Fact{
		Key: "cgroup", Group: Place,
		Doc:    "version, CPU and memory limits, and whether Plimsoll can create groups",
		Warns:  "it, or this process's affinity, allows fewer CPUs than the machine has",
		Text:   func(m record.Machine, q Quantity) string { return cgroupText(m.Cgroup, q) },
		Advise: limits,
	}
}

func cgroupText(c record.Cgroup, q Quantity) string {
	if c.Version == 0 {
		return ""
	}
	parts := []string{fmt.Sprintf("v%d", c.Version), "no CPU limit", "no memory limit", "not writable"}
	if c.CPUQuota > 0 {
		parts[1] = fmt.Sprintf("limit of %g CPUs", c.CPUQuota)
	}
	if c.MemoryLimit > 0 {
		parts[2] = "limit of " + size(c.MemoryLimit, q)
	}
	if c.Writable {
		parts[3] = "writable"
	}
	return joined(parts...)
}

func limits(m record.Machine) []Advice {
	quota, allowed := m.Cgroup.CPUQuota, len(m.CPU.Allowed)
	return slices.Concat(
		advise(quota > 0 && allowed > 0 && quota < float64(allowed), Limits,
			fmt.Sprintf("raise cpu.max, or measure on at most %d of them", max(1, int(quota))),
			"the cgroup allows %g of %d CPUs: runs on all CPUs are throttled", quota, allowed),
		advise(allowed > 0 && allowed < m.CPU.Threads, Limits, "start it without taskset, or in a cpuset of all CPUs",
			"this process may use %d of the %d CPUs", allowed, m.CPU.Threads),
	)
}

func disks() Fact {
	return Fact{
		Key: "disks", Group: Place, Lead: "disk",
		Doc: "size, kind or model, scheduler, and array members. Serial numbers aren't read",
		Lines: func(m record.Machine, q Quantity) []Line {
			var out []Line
			for _, d := range m.Disks {
				if text := diskText(d, q); text != "" {
					out = append(out, Line{"disk " + d.Name, text})
				}
			}
			return out
		},
	}
}

func diskText(d record.Disk, q Quantity) string {
	parts := []string{size(d.Bytes, q), cmp.Or(d.Kind, d.Model)}
	if d.RAID != "" {
		parts = append(parts, strings.TrimSpace(d.RAID+" of "+strings.Join(d.Members, " ")))
	}
	if d.Rotational {
		parts = append(parts, "rotational")
	}
	if d.Scheduler != "" {
		parts = append(parts, "scheduler "+d.Scheduler)
	}
	return joined(parts...)
}

func nics() Fact {
	return Fact{
		Key: "nics", Group: Place, Lead: "nic",
		Doc: "driver, speed and MTU of network interfaces. Addresses aren't read",
		Lines: func(m record.Machine, _ Quantity) []Line {
			var out []Line
			for _, n := range m.NICs {
				if text := nicText(n); text != "" {
					out = append(out, Line{"nic " + n.Name, text})
				}
			}
			return out
		},
	}
}

func nicText(n record.NIC) string {
	parts := []string{n.Driver}
	if n.Mbit > 0 {
		parts = append(parts, fmt.Sprintf("%g Gbit/s", float64(n.Mbit)/1000))
	}
	if n.MTU > 0 {
		parts = append(parts, fmt.Sprintf("MTU %d", n.MTU))
	}
	if !n.Up {
		parts = append(parts, "down")
	}
	return joined(parts...)
}

func power() Fact {
	return Fact{
		Key: "power", Group: Place,
		Doc:  "[energy](#energy) meters, and whether this user may read them",
		Text: text(func(m record.Machine) string { return powerText(m.Power) }),
	}
}

// powerText lists the domains by source, and which of them only root may read.
func powerText(domains []record.Power) string {
	var sources []string
	of := map[string][]string{}
	for _, d := range domains {
		source := d.Source
		if !d.Readable {
			source += ", not readable by this user"
		}
		if !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
		of[source] = append(of[source], d.Name)
	}
	for i, source := range sources {
		sources[i] = fmt.Sprintf("%s (%s)", strings.Join(of[source], ", "), source)
	}
	return strings.Join(sources, "; ")
}
