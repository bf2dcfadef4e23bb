package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"plimsoll/internal/host/cpuinfo"
	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
)

// frequency says what sets the CPUs' clock. Virtual machines seldom show it.
func (d *description) frequency(s *record.Settings) {
	policies, err := filepath.Glob(d.root.SysPath("devices/system/cpu/cpufreq/policy[0-9]*"))
	d.note("cpufreq", err)
	governors := map[string]int{}
	for _, dir := range policies {
		if text, err := hostfs.ReadText(filepath.Join(dir, "scaling_governor")); err == nil {
			governors[text]++
		}
	}
	if len(policies) > 0 {
		s.Governor = cpuinfo.JoinCounts(governors)
		s.Driver, _ = hostfs.ReadText(filepath.Join(policies[0], "scaling_driver"))
	}
	s.Boost = boost(d.root)
}

// boost reads the switch of intel_pstate, which is inverted, or else that of the
// other drivers.
func boost(root hostfs.Root) string {
	off, err := hostfs.ReadText(root.SysPath("devices/system/cpu/intel_pstate/no_turbo"))
	if err == nil {
		return onOff(off, "0", "1")
	}
	on, err := hostfs.ReadText(root.SysPath("devices/system/cpu/cpufreq/boost"))
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

// clockSource says which clock the kernel reads, and which it could.
func (d *description) clockSource(s *record.Settings) {
	dir := d.root.SysPath("devices/system/clocksource/clocksource0")
	var err error
	s.ClockSource, err = hostfs.ReadText(filepath.Join(dir, "current_clocksource"))
	if !hostfs.NotHere(err) {
		d.note("clock source", err)
	}
	if text, _ := hostfs.ReadText(filepath.Join(dir, "available_clocksource")); text != "" {
		s.ClockSources = strings.Fields(text)
	}
}

// mitigations is what the kernel says of each vulnerability that it knows of and
// that this CPU has: one it has not is no news.
func mitigations(root hostfs.Root) map[string]string {
	entries, _ := os.ReadDir(root.SysPath("devices/system/cpu/vulnerabilities"))
	var out map[string]string
	for _, e := range entries {
		text, err := hostfs.ReadText(root.SysPath("devices/system/cpu/vulnerabilities", e.Name()))
		if err != nil || text == "" || text == "Not affected" {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[e.Name()] = text
	}
	return out
}

// vdsoClocks are the clock sources that a program reads without a system call.
func vdsoClocks() []string {
	return []string{"tsc", "tsc-early", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"}
}

func fastClock(name string) bool { return slices.Contains(vdsoClocks(), name) }

// settings reads what an administrator can change. What a kernel or a virtual
// machine does not have is left out in silence: nobody can act on it.
func (d *description) settings() {
	s := &d.m.Settings
	d.frequency(s)
	d.clockSource(s)
	s.SMT, _ = hostfs.ReadText(d.root.SysPath("devices/system/cpu/smt/control"))
	s.THP = d.choice("kernel/mm/transparent_hugepage/enabled")
	s.THPDefrag = d.choice("kernel/mm/transparent_hugepage/defrag")
	s.HugePages = hugePages(d.root)
	s.Mitigations = mitigations(d.root)
	s.Swap = swapBytes(d.root)
}

func (d *description) choice(path string) string {
	text, err := hostfs.ReadParsed(d.root.SysPath(path), hostfs.ParseChoice)
	if err != nil && !hostfs.NotHere(err) {
		d.note("settings", err)
	}
	return text
}

// hugePages lists the pools that hold any page.
func hugePages(root hostfs.Root) []record.HugePages {
	dirs, _ := filepath.Glob(root.SysPath("kernel/mm/hugepages/hugepages-*kB"))
	var out []record.HugePages
	for _, dir := range dirs {
		kib, err1 := pageSize(filepath.Base(dir))
		pages, err2 := hostfs.ReadNumber(filepath.Join(dir, "nr_hugepages"))
		free, err3 := hostfs.ReadNumber(filepath.Join(dir, "free_hugepages"))
		if err1 == nil && err2 == nil && err3 == nil && pages > 0 {
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

func swapBytes(root hostfs.Root) int64 {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0
	}
	m, err := pfs.Meminfo()
	if err != nil || m.SwapTotalBytes == nil {
		return 0
	}
	return int64(*m.SwapTotalBytes)
}
