package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// places lists the CPUs of each socket or node; one place holds all CPUs, which
// the topology says already.
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

func cloud(c record.Cloud) string {
	place := c.Zone
	if !strings.HasPrefix(c.Zone, c.Region) { // Azure numbers its zones
		place = strings.Join(nonEmpty(c.Region, c.Zone), " zone ")
	} else if c.Zone == "" {
		place = c.Region
	}
	return strings.Join(nonEmpty(c.Provider, c.Type, place), ", ")
}

func diskNotes(disks []record.Disk) []note {
	var out []note
	for _, d := range disks {
		parts := nonEmpty(bytesOrNone(d.Bytes), cmp.Or(d.Kind, d.Model))
		if d.RAID != "" {
			parts = append(parts, strings.TrimSpace(d.RAID+" of "+strings.Join(d.Members, " ")))
		}
		if d.Rotational {
			parts = append(parts, "rotational")
		}
		if d.Scheduler != "" {
			parts = append(parts, "scheduler "+d.Scheduler)
		}
		out = append(out, note{Lead: "disk " + d.Name, Text: strings.Join(parts, ", ")})
	}
	return out
}

func nicNotes(nics []record.NIC) []note {
	var out []note
	for _, n := range nics {
		parts := nonEmpty(n.Driver)
		if n.Mbit > 0 {
			parts = append(parts, fmt.Sprintf("%g Gbit/s", float64(n.Mbit)/1000))
		}
		if n.MTU > 0 {
			parts = append(parts, fmt.Sprintf("MTU %d", n.MTU))
		}
		if !n.Up {
			parts = append(parts, "down")
		}
		out = append(out, note{Lead: "nic " + n.Name, Text: strings.Join(parts, ", ")})
	}
	return out
}

// power lists what can be metered, by source, and what only root may read.
func power(domains []record.Power) string {
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

func settingNotes(s record.Settings) []note {
	clock := nonEmpty(s.Governor, s.Driver)
	if s.Boost != "" {
		clock = append(clock, "boost "+s.Boost)
	}
	return []note{
		{Lead: "governor", Text: strings.Join(clock, ", ")},
		{Lead: "smt", Text: strings.Replace(s.SMT, "not", "not ", 1)}, // "notsupported"
		{Lead: "huge pages", Text: hugePages(s)},
		{Lead: "swap", Text: bytesOrNone(s.Swap)},
		{Lead: "clock", Text: clockSource(s)},
		{Lead: "mitigations", Text: mitigations(s)},
	}
}

func hugePages(s record.Settings) string {
	var parts []string
	if s.THP != "" {
		parts = append(parts, "transparent "+s.THP)
	}
	if s.THPDefrag != "" {
		parts = append(parts, "defrag "+s.THPDefrag)
	}
	for _, p := range s.HugePages {
		parts = append(parts, fmt.Sprintf("%d x %s, %d free", p.Pages, bytesOrNone(p.PageBytes), p.Free))
	}
	return strings.Join(parts, ", ")
}

func clockSource(s record.Settings) string {
	others := slices.DeleteFunc(slices.Clone(s.ClockSources), func(name string) bool { return name == s.ClockSource })
	if s.ClockSource == "" || len(others) == 0 {
		return s.ClockSource
	}
	return s.ClockSource + " (or " + strings.Join(others, ", ") + ")"
}

// mitigations counts: each is a sentence, which --json has.
func mitigations(s record.Settings) string {
	if len(s.Mitigations) == 0 {
		return ""
	}
	open := s.Unmitigated()
	var parts []string
	if n := len(s.Mitigations) - len(open); n > 0 {
		parts = append(parts, fmt.Sprintf("%d on", n))
	}
	if len(open) > 0 {
		parts = append(parts, "vulnerable: "+strings.Join(open, ", "))
	}
	return strings.Join(parts, "; ")
}
