package record

import (
	"maps"
	"slices"
	"strings"
)

// Machine is a host's fingerprint. A field that could not be read keeps its zero value, and Unknown names it.
type Machine struct {
	Format int `json:"format"` // version of the session format
	// Given by the user who reached it, else its instance type, else its host name.
	Name     string   `json:"name"`
	Host     string   `json:"host,omitempty"`  // its host name, if that is not Name
	Hosts    int      `json:"hosts,omitempty"` // those of the cluster that it is in, all like it; 0: in none
	ID       string   `json:"id"`              // digest of the machine's identity, not of its load
	Arch     string   `json:"arch"`
	Kernel   string   `json:"kernel"`
	OS       string   `json:"os"`
	CPU      CPU      `json:"cpu"`
	Memory   int64    `json:"memory_bytes"`
	NUMA     int      `json:"numa_nodes"`
	NodeCPUs []string `json:"node_cpus,omitempty"` // of each NUMA node, as SocketCPUs
	Virt     string   `json:"hypervisor,omitempty"`
	Emulated string   `json:"emulated,omitempty"` // emulator of the CPU: "qemu-user", "tcg"
	Cloud    Cloud    `json:"cloud,omitzero"`
	Cgroup   Cgroup   `json:"cgroup"`
	Settings Settings `json:"settings,omitzero"`
	Disks    []Disk   `json:"disks,omitempty"`
	NICs     []NIC    `json:"nics,omitempty"`
	Power    []Power  `json:"power,omitempty"`
	State    State    `json:"state"`
	// what has no field of its own, by the key of its entry in internal/machine/host/fact
	Facts    map[string]Fact `json:"facts,omitempty"`
	Software Software        `json:"software"`
	Unknown  []string        `json:"unknown,omitempty"` // facts that could not be read here
	Warnings []string        `json:"warnings,omitempty"`
}

// Fact is a fact without a field of its own: a number with a unit, a text, or both.
type Fact struct {
	Number float64 `json:"number,omitempty"`
	Unit   string  `json:"unit,omitempty"`
	Text   string  `json:"text,omitempty"`
}

// CPU describes a machine's processors.
type CPU struct {
	Vendor string `json:"vendor"`
	Model  string `json:"model"`
	Core   string `json:"core,omitempty"` // microarchitecture, such as "Neoverse V1" or "Zen 2 (Rome)"
	// x86: the number of CPUID; arm64: variant and revision, such as "r1p1"
	Stepping       string   `json:"stepping,omitempty"`
	Microcode      string   `json:"microcode,omitempty"`
	Sockets        int      `json:"sockets"`
	Cores          int      `json:"cores"` // physical, over all sockets
	Threads        int      `json:"threads"`
	ThreadsPerCore int      `json:"threads_per_core"`
	Allowed        []int    `json:"allowed"`               // CPUs that this process may use
	SocketCPUs     []string `json:"socket_cpus,omitempty"` // of each socket, as a list like "0-17,36-53"; nil unknown
	CoreCPUs       []string `json:"core_cpus,omitempty"`   // likewise of each core: its threads; nil if unknown
	Features       []string `json:"features"`
	SVEBits        int      `json:"sve_bits,omitempty"` // vector length of SVE
	Caches         []Cache  `json:"caches"`
	MHz            float64  `json:"mhz,omitempty"`
}

// The vendors of x86 processors, as CPUID writes them.
const (
	VendorIntel = "GenuineIntel"
	VendorAMD   = "AuthenticAMD"
	VendorHygon = "HygonGenuine"
)

// X86 reports whether the vendor is one of x86 processors.
func (c CPU) X86() bool {
	return c.Vendor == VendorIntel || c.Vendor == VendorAMD || c.Vendor == VendorHygon
}

// Cache is one level of cache.
type Cache struct {
	Level     int    `json:"level"`
	Type      string `json:"type"` // "data", "instruction", "unified"
	Bytes     int64  `json:"bytes"`
	Instances int    `json:"instances"`
}

// Cgroup holds the limits of this process. A limit of 0 is none.
type Cgroup struct {
	Version     int     `json:"version"`      // 1, 2; 0 unknown
	CPUQuota    float64 `json:"cpu_quota"`    // CPUs
	MemoryLimit int64   `json:"memory_limit"` // bytes
	Writable    bool    `json:"writable"`     // this process can create groups
}

// State is how busy the machine was when it was described.
type State struct {
	// Identity of the running kernel since boot; machines that share one are the same.
	Boot        string   `json:"boot,omitempty"`
	Load1       float64  `json:"load1"`
	Available   int64    `json:"available_bytes,omitempty"` // memory available without swapping
	StealPct    *float64 `json:"steal_pct,omitempty"`       // over a short sample
	RunDelayPct *float64 `json:"run_delay_pct,omitempty"`   // of a busy thread over the same sample
	// Wake-up latency of a timer on an idle CPU, p99 of a short sample, s.
	WakeP99S *float64 `json:"wake_p99_s,omitempty"`
}

// Software holds the versions that can affect a result.
type Software struct {
	Plimsoll string `json:"plimsoll"`
	Go       string `json:"go"`
}

// Settings are facts that an administrator can change without changing the machine. They are not part of Machine.ID; an
// empty field could not be read.
type Settings struct {
	Governor string `json:"governor,omitempty"` // of all CPUs, or "190x performance, 2x powersave"
	// Driver of the clock frequency, such as "intel_pstate".
	Driver       string      `json:"scaling_driver,omitempty"`
	Boost        string      `json:"boost,omitempty"` // "on" or "off": clocks above the nominal one
	SMT          string      `json:"smt,omitempty"`   // "on", "off", "forceoff", "notsupported", "notimplemented"
	THP          string      `json:"thp,omitempty"`   // transparent huge pages: "always", "madvise", "never"
	THPDefrag    string      `json:"thp_defrag,omitempty"`
	HugePages    []HugePages `json:"huge_pages,omitempty"`   // non-empty pools
	ClockSource  string      `json:"clocksource,omitempty"`  // such as "tsc"
	ClockSources []string    `json:"clocksources,omitempty"` // available ones
	// The kernel's status of each vulnerability of this CPU.
	Mitigations map[string]string `json:"mitigations,omitempty"`
	Swap        int64             `json:"swap_bytes,omitempty"` // bytes of all swap areas in use
}

// HugePages is one pool of huge pages.
type HugePages struct {
	PageBytes int64 `json:"page_bytes"`
	Pages     int64 `json:"pages"`
	Free      int64 `json:"free"`
}

// Unmitigated returns the vulnerabilities that the kernel calls vulnerable, sorted by name.
func (s Settings) Unmitigated() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.Mitigations)) {
		if strings.HasPrefix(s.Mitigations[name], "Vulnerable") {
			out = append(out, name)
		}
	}
	return out
}

// CloudAWS is Amazon's name in Cloud.Provider.
const CloudAWS = "aws"

// Cloud is the cloud offering that a machine is. Nothing in it identifies one instance.
type Cloud struct {
	Provider string `json:"provider,omitempty"` // such as "aws", "gcp", "azure"
	Type     string `json:"type,omitempty"`     // instance type, such as "c5.18xlarge"
	Region   string `json:"region,omitempty"`
	Zone     string `json:"zone,omitempty"`
}

// Disk is a block device that stores data: a drive or an array.
type Disk struct {
	Name       string   `json:"name"` // such as "nvme0n1"
	Model      string   `json:"model,omitempty"`
	Kind       string   `json:"kind,omitempty"` // "EBS", "instance store" and the like, if the model tells
	Bytes      int64    `json:"bytes"`
	Rotational bool     `json:"rotational"` // as reported by the kernel; hypervisors often report it wrongly
	Scheduler  string   `json:"scheduler,omitempty"`
	RAID       string   `json:"raid,omitempty"`    // level, such as "raid0"
	Members    []string `json:"members,omitempty"` // of the array
}

// NIC is a network interface backed by a device.
type NIC struct {
	Name   string `json:"name"`
	Driver string `json:"driver,omitempty"`
	Mbit   int64  `json:"mbit_per_s,omitempty"` // 0 unknown
	MTU    int64  `json:"mtu"`                  // bytes
	Up     bool   `json:"up"`
}

// Power is a part of the machine whose energy can be metered.
type Power struct {
	Name string `json:"name"` // such as "package-0"
	// "package", "core", "uncore", "dram", "psys", "socket", "soc", "module", ScopeBoard; "" unknown
	Scope    string `json:"scope"`
	Source   string `json:"source"` // one of Power*
	Readable bool   `json:"readable"`
}

// The sources of Power: energy counters of the CPU's RAPL, energy counters of a sensor, a sensor of watts, whose
// samples are integrated, the board's controller by ipmitool, and a command of the user's.
const (
	PowerRAPL    = "rapl"
	PowerEnergy  = "sensor of energy"
	PowerWatts   = "sensor of watts"
	PowerIPMI    = "ipmi"
	PowerCommand = "command"
)

// ScopeBoard is the scope of a meter of the whole machine.
const ScopeBoard = "board"
