package fact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

func governor() Fact {
	return Fact{
		Key: "settings.governor", Group: Setting, Lead: "governor",
		Doc:   "governor, its driver, and boost",
		Warns: "it isn't `performance` on all CPUs, or boost is on (one busy CPU clocks higher than many)",
		Read: func(fsys fs.FS, m *record.Machine) error {
			policies, err := fs.Glob(fsys, "sys/devices/system/cpu/cpufreq/policy[0-9]*")
			governors := map[string]int{}
			for _, dir := range policies {
				if name, err := read(fsys, dir, "scaling_governor"); err == nil {
					governors[name]++
				}
			}
			if len(policies) > 0 {
				m.Settings.Governor = record.JoinCounts(governors)
				m.Settings.Driver, _ = read(fsys, policies[0], "scaling_driver")
			}
			m.Settings.Boost = boost(fsys)
			return err
		},
		Text: text(func(m record.Machine) string {
			s := m.Settings
			return joined(s.Governor, s.Driver, prefixed("boost ", s.Boost))
		}),
		Compare: func(m record.Machine) map[string]string {
			return map[string]string{"governor": m.Settings.Governor, "scaling_driver": m.Settings.Driver,
				"boost": m.Settings.Boost}
		},
		Advise: func(m record.Machine) []Advice {
			s := m.Settings
			return slices.Concat(
				advise(s.Governor != "" && s.Governor != "performance", Varies, "cpupower frequency-set -g performance",
					"the governor is %s: the clock depends on how busy the CPUs have been", s.Governor),
				advise(s.Boost == "on", Varies, "compare at equal numbers of busy CPUs, or switch boost off",
					"boost is on: a CPU that is busy alone clocks higher than one among many"),
			)
		},
	}
}

// boost reads the switch of intel_pstate, which is inverted, or else the one of the other drivers.
func boost(fsys fs.FS) string {
	off, err := read(fsys, "sys/devices/system/cpu/intel_pstate/no_turbo")
	if err == nil {
		return onOff(off, "0", "1")
	}
	on, err := read(fsys, "sys/devices/system/cpu/cpufreq/boost")
	if err != nil {
		return ""
	}
	return onOff(on, "1", "0")
}

func onOff(text, on, off string) string {
	switch text {
	case on:
		return "on"
	case off:
		return "off"
	}
	return ""
}

func smt() Fact {
	return Fact{
		Key: "settings.smt", Group: Setting, Lead: "smt",
		Doc: "on, off, or not supported",
		Read: func(fsys fs.FS, m *record.Machine) error {
			m.Settings.SMT, _ = read(fsys, "sys/devices/system/cpu/smt/control")
			return nil
		},
		// "notsupported"
		Text:    text(func(m record.Machine) string { return strings.Replace(m.Settings.SMT, "not", "not ", 1) }),
		Compare: of("smt", func(m record.Machine) string { return m.Settings.SMT }),
	}
}

func hugePages() Fact {
	return Fact{
		Key: "settings.huge_pages", Group: Setting, Lead: "huge pages",
		Doc: "transparent huge pages, their defragmentation, and pools that aren't empty",
		Read: func(fsys fs.FS, m *record.Machine) error {
			m.Settings.HugePages = pools(fsys)
			var err1, err2 error
			m.Settings.THP, err1 = choice(fsys, "sys/kernel/mm/transparent_hugepage/enabled")
			m.Settings.THPDefrag, err2 = choice(fsys, "sys/kernel/mm/transparent_hugepage/defrag")
			return errors.Join(err1, err2)
		},
		Text: func(m record.Machine, q Quantity) string {
			s := m.Settings
			parts := []string{prefixed("transparent ", s.THP), prefixed("defrag ", s.THPDefrag)}
			for _, p := range s.HugePages {
				parts = append(parts, fmt.Sprintf("%d x %s, %d free", p.Pages, size(p.PageBytes, q), p.Free))
			}
			return joined(parts...)
		},
		Compare: func(m record.Machine) map[string]string {
			out := map[string]string{"thp": m.Settings.THP, "thp_defrag": m.Settings.THPDefrag}
			for _, p := range m.Settings.HugePages {
				out["huge_pages."+record.FormatSize(p.PageBytes)] = fmt.Sprint(p.Pages)
			}
			return out
		},
	}
}

// pools lists the pools that hold any page.
func pools(fsys fs.FS) []record.HugePages {
	dirs, _ := fs.Glob(fsys, "sys/kernel/mm/hugepages/hugepages-*kB")
	var out []record.HugePages
	for _, dir := range dirs {
		kib, err1 := pageSize(path.Base(dir))
		pages, err2 := number(fsys, dir, "nr_hugepages")
		free, err3 := number(fsys, dir, "free_hugepages")
		if cmp.Or(err1, err2, err3) == nil && pages > 0 {
			out = append(out, record.HugePages{PageBytes: kib << 10, Pages: pages, Free: free})
		}
	}
	return out
}

// pageSize reads the size out of a pool's name, "hugepages-2048kB".
func pageSize(name string) (kib int64, err error) {
	size, ok1 := strings.CutPrefix(name, "hugepages-")
	size, ok2 := strings.CutSuffix(size, "kB")
	kib, err = strconv.ParseInt(size, 10, 40)
	if !ok1 || !ok2 || err != nil || kib <= 0 {
		return 0, fmt.Errorf("%.40q is not the name of a pool of huge pages", name)
	}
	return kib, nil
}

// choice returns the bracketed word of a file, or "" if there is no such file.
func choice(fsys fs.FS, path string) (string, error) {
	b, err := fs.ReadFile(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := kernfmt.Choice(b)
	if err != nil {
		return "", fmt.Errorf("/%s: %w", path, err)
	}
	return text, nil
}

func swap() Fact {
	return Fact{
		Key: "settings.swap_bytes", Group: Setting, Lead: "swap",
		Doc:   "size of the active swap areas",
		Warns: "a swap area is active",
		Text:  func(m record.Machine, q Quantity) string { return size(m.Settings.Swap, q) },
		Compare: of("swap", func(m record.Machine) string {
			if m.Settings.Swap <= 0 {
				return ""
			}
			return record.FormatSize(m.Settings.Swap)
		}),
		Advise: func(m record.Machine) []Advice {
			return advise(m.Settings.Swap > 0, Limits, "swapoff -a",
				"swap is on: a working set that is swapped out measures the disk")
		},
	}
}

func clockSource() Fact {
	return Fact{
		Key: "settings.clocksource", Group: Setting, Lead: "clock",
		Doc: "the kernel's clock, and the available ones",
		Warns: "programs need a system call to read it: it isn't `tsc`, `kvm-clock`, Hyper-V's TSC page or " +
			"`arch_sys_counter`",
		Read: func(fsys fs.FS, m *record.Machine) error {
			const dir = "sys/devices/system/clocksource/clocksource0"
			var err error
			m.Settings.ClockSource, err = read(fsys, dir, "current_clocksource")
			if text, _ := read(fsys, dir, "available_clocksource"); text != "" {
				m.Settings.ClockSources = strings.Fields(text)
			}
			return err
		},
		Text:    text(func(m record.Machine) string { return clockText(m.Settings) }),
		Compare: of("clocksource", func(m record.Machine) string { return m.Settings.ClockSource }),
		Advise: func(m record.Machine) []Advice {
			s, hint := m.Settings, ""
			if slices.Contains(s.ClockSources, "tsc") {
				hint = "echo tsc into /sys/devices/system/clocksource/clocksource0/current_clocksource"
			}
			slow := s.ClockSource != "" && !slices.Contains(vdsoClocks(), s.ClockSource)
			return advise(slow, Varies, hint, "the clock is %s: reading the time is a system call", s.ClockSource)
		},
	}
}

// vdsoClocks lists the clock sources that a program reads without a system call.
func vdsoClocks() []string {
	return []string{"tsc", "tsc-early", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"}
}

func clockText(s record.Settings) string {
	others := slices.DeleteFunc(slices.Clone(s.ClockSources), func(name string) bool { return name == s.ClockSource })
	if s.ClockSource == "" || len(others) == 0 {
		return s.ClockSource
	}
	return s.ClockSource + " (or " + strings.Join(others, ", ") + ")"
}

func mitigations() Fact {
	return Fact{
		Key: "settings.mitigations", Group: Setting, Lead: "mitigations",
		Doc: "the kernel's status of each CPU vulnerability; the listing counts them",
		Read: func(fsys fs.FS, m *record.Machine) error {
			files, _ := fs.Glob(fsys, "sys/devices/system/cpu/vulnerabilities/*")
			for _, file := range files {
				text, err := read(fsys, file)
				if err != nil || text == "" || text == "Not affected" {
					continue
				}
				if m.Settings.Mitigations == nil {
					m.Settings.Mitigations = map[string]string{}
				}
				m.Settings.Mitigations[path.Base(file)] = text
			}
			return nil
		},
		Text: text(func(m record.Machine) string { return mitigationText(m.Settings) }),
		Compare: func(m record.Machine) map[string]string {
			out := map[string]string{}
			for name, text := range m.Settings.Mitigations {
				out["mitigation."+name] = text
			}
			return out
		},
	}
}

// mitigationText counts: each is a sentence, which --json has.
func mitigationText(s record.Settings) string {
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
