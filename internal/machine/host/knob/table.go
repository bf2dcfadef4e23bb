package knob

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
)

// The settings of the run's own processes, which agents know by name.
const (
	NUMA     = record.TunePrefix + "numa"
	CPULimit = record.TunePrefix + "cpu_limit"
)

// Spread is the value of interrupts that have a CPU each, in turn.
const Spread = "spread"

const (
	movedIRQs = "irqbalance moves interrupts: systemctl stop irqbalance"
	setAgain  = "tuned and power-profiles-daemon set it again: stop them"
)

// All returns the table.
func All() []Knob {
	return []Knob{
		{Param: text("scheduler", "I/O scheduler of the data's disks, such as none, mq-deadline, kyber, bfq"),
			Whom: "all that use the disk", where: ofDisks("scheduler")},
		{Param: enum("nomerges", "request merging of those disks: 0 all, 1 only simple merges, 2 none", "0", "1", "2"),
			Whom: "all that use the disk", where: ofDisks("nomerges")},
		{Param: text("disk_irqs", "CPUs that handle the interrupts of those disks: a list such as 0-3, or spread, a CPU "+
			"for each in turn"), Whom: "all that use the disk or those CPUs", Hint: movedIRQs, where: diskIRQs},
		{Param: text("net_irqs", "CPUs that handle the interrupts of all network cards: likewise a list, or spread"),
			Whom: "all that use the network or those CPUs", Hint: movedIRQs, where: netIRQs},
		{Param: text("governor", "frequency governor of all CPUs, such as performance"),
			Whom: "the machine", Hint: setAgain, where: governors},
		{Param: enum("thp", "transparent huge pages", "always", "madvise", "never"), Whom: "the machine", Hint: setAgain,
			where: file("sys/kernel/mm/transparent_hugepage/enabled")},
		{Param: number("hugepages", "reserved huge pages of the default size (vm.nr_hugepages)", 1e9),
			Whom:  "the machine, whose other memory shrinks",
			Hint:  "memory is too small or in pieces: ask for fewer, or reserve them at boot (hugepages=N)",
			where: file("proc/sys/vm/nr_hugepages")},
		{Param: number("swappiness", "vm.swappiness", 200), Whom: "the machine", Hint: setAgain,
			where: file("proc/sys/vm/swappiness")},
		{Param: number("aio_max_nr", "fs.aio-max-nr: limit of asynchronous I/O requests, of all processes together", 1e12),
			Whom: "the machine", where: file("proc/sys/fs/aio-max-nr")},
		{Param: text("clocksource", "clock source of the kernel, such as tsc"), Whom: "the machine",
			where: file("sys/devices/system/clocksource/clocksource0/current_clocksource")},
		{Param: enum("numa_balancing", "automatic NUMA balancing, which moves memory to the node that uses it", "0", "1"),
			Whom: "the machine", where: file("proc/sys/kernel/numa_balancing")},
		{Param: text("numa", "NUMA node that runs the work, with CPUs and memory of this node only, such as 0"),
			Whom: "the run's own processes", own: onNode},
		{Param: limit(), Whom: "the processes that the run starts, or those of the group", where: groupLimit, own: ownLimit},
	}
}

// Presets returns the set-ups that have a name.
func Presets() []record.Preset {
	set := func(pairs ...string) map[string]string {
		out := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			out[record.TunePrefix+pairs[i]] = pairs[i+1]
		}
		return out
	}
	return []record.Preset{
		{Of: record.ParamTunePreset, Name: "redpanda",
			Doc: "settings of rpk redpanda tune: interrupts on all CPUs, no merging, highest frequency, no swapping",
			Set: set("scheduler", "none", "nomerges", "2", "disk_irqs", Spread, "net_irqs", Spread, "governor", "performance",
				"swappiness", "1", "aio_max_nr", "1048576", "thp", "always")},
		{Of: record.ParamTunePreset, Name: "percona",
			Doc: "defaults of Ubuntu 20.04, which Percona used",
			Set: set("scheduler", "none", "nomerges", "0", "thp", "madvise", "hugepages", "0", "swappiness", "60")},
	}
}

func text(name, doc string) record.Param {
	return record.Param{Name: record.TunePrefix + name, Kind: record.Text, Default: record.AsFound, Tunes: true,
		Minor: true,
		Phase: record.Server, Doc: doc}
}

func enum(name, doc string, choices ...string) record.Param {
	p := text(name, doc)
	p.Kind, p.Choices = record.Enum, choices
	return p
}

func number(name, doc string, most float64) record.Param {
	p := text(name, doc)
	p.Kind, p.Max = record.Int, most
	return p
}

// wanted returns what is to be written for a value; "" if it is left as it is.
func wanted(value string) string {
	if value == record.AsFound {
		return ""
	}
	return value
}

// file returns the place of a setting that one file holds; path begins with proc or sys.
func file(path string) func(At, string) ([]Setting, error) {
	return func(at At, value string) ([]Setting, error) {
		tree, rest, _ := strings.Cut(path, "/")
		full := at.Root.SysPath(rest)
		if tree == "proc" {
			full = at.Root.ProcPath(rest)
		}
		return []Setting{{Files: []File{{Path: full, Want: wanted(value)}}}}, nil
	}
}

// ofDisks returns the places of a setting of disks' queues.
func ofDisks(name string) func(At, string) ([]Setting, error) {
	return func(at At, value string) ([]Setting, error) {
		disks, err := at.disks()
		var out []Setting
		for _, d := range disks {
			out = append(out, Setting{Place: d,
				Files: []File{{Path: at.Root.SysPath("block", d, "queue", name), Want: wanted(value)}}})
		}
		return out, err
	}
}

func governors(at At, value string) ([]Setting, error) {
	policies, err := filepath.Glob(at.Root.SysPath("devices/system/cpu/cpufreq/policy[0-9]*"))
	if err == nil && len(policies) == 0 {
		err = fmt.Errorf("there is no cpufreq: %s has no policy, as in most virtual machines",
			at.Root.SysPath("devices/system/cpu/cpufreq"))
	}
	s := Setting{}
	for _, dir := range policies {
		s.Files = append(s.Files, File{Path: filepath.Join(dir, "scaling_governor"), Want: wanted(value)})
	}
	return []Setting{s}, err
}

func diskIRQs(at At, value string) ([]Setting, error) {
	disks, err := at.disks()
	if err != nil {
		return nil, err
	}
	return irqs(at, value, "block", disks)
}

func netIRQs(at At, value string) ([]Setting, error) {
	cards, err := filepath.Glob(at.Root.SysPath("class/net/*/device"))
	var names []string
	for _, c := range cards {
		names = append(names, filepath.Base(filepath.Dir(c)))
	}
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("there is no network card: nothing in %s has a device", at.Root.SysPath("class/net"))
	}
	if err != nil {
		return nil, err
	}
	return irqs(at, value, "class/net", names)
}

// affinityList is the file with the CPUs of an interrupt.
const affinityList = "smp_affinity_list"

// irqs returns the interrupts of devices of a class.
func irqs(at At, value, class string, names []string) ([]Setting, error) {
	cpus, err := irqCPUs(at.Root, value)
	if err != nil {
		return nil, err
	}
	var out []Setting
	turn := 0
	for _, name := range names {
		s := Setting{Place: name}
		numbers, err := interruptsOf(at.Root, class, name)
		if err != nil {
			return nil, err
		}
		for _, n := range numbers {
			f := File{Path: at.Root.ProcPath("irq", strconv.Itoa(n), affinityList), Managed: value == Spread}
			switch {
			case value == Spread:
				f.Want = strconv.Itoa(cpus[turn%len(cpus)])
				turn++
			case value != record.AsFound:
				f.Want = record.FormatCPUList(cpus)
			}
			s.Files = append(s.Files, f)
		}
		out = append(out, s)
	}
	return out, nil
}

// irqCPUs returns the CPUs that a value names, which are online.
func irqCPUs(root hostfs.Root, value string) ([]int, error) {
	online, err := topology.Online(root)
	if err != nil || value == Spread || value == record.AsFound {
		return online, err
	}
	cpus, err := record.ParseCPUList(value)
	if err != nil || len(cpus) == 0 {
		return nil, fmt.Errorf("it is neither %s nor a list of CPUs such as 0-3", Spread)
	}
	for _, cpu := range cpus {
		if !slices.Contains(online, cpu) {
			return nil, fmt.Errorf("CPU %d is not here: %s are", cpu, record.FormatCPUList(online))
		}
	}
	return cpus, nil
}

// interruptsOf returns the numbers of a device's interrupts: those of the nearest device above it that has any.
func interruptsOf(root hostfs.Root, class, name string) ([]int, error) {
	top, err := filepath.EvalSymlinks(root.Sys)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.EvalSymlinks(root.SysPath(class, name))
	for err == nil && strings.HasPrefix(dir, top+"/") {
		found, _ := filepath.Glob(filepath.Join(dir, "msi_irqs", "[0-9]*"))
		if len(found) > 0 {
			return numbersOf(root, found), nil
		}
		dir = filepath.Dir(dir)
	}
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s has no interrupts of its own", name)
}

// numbersOf returns the interrupts of paths that can be placed, in their order.
func numbersOf(root hostfs.Root, paths []string) []int {
	var out []int
	for _, path := range paths {
		n, err := strconv.Atoi(filepath.Base(path))
		if err == nil && hostfs.Exists(root.ProcPath("irq", strconv.Itoa(n), affinityList)) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// Node returns the NUMA node that a value names.
func Node(value string) (int, error) {
	node, err := strconv.Atoi(value)
	if err != nil || node < 0 || node > 1023 || strconv.Itoa(node) != value {
		return 0, fmt.Errorf("it is not the number of a node, such as 0")
	}
	return node, nil
}

// NodeCPUs returns the CPUs of a node that has memory too.
func NodeCPUs(root hostfs.Root, node int) ([]int, error) {
	nodes, err := topology.OnlineNodes(root)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, fmt.Errorf("the kernel knows no NUMA nodes here")
	}
	if !slices.Contains(nodes, node) {
		return nil, fmt.Errorf("there is no such NUMA node here: %s", nodesInWords(nodes))
	}
	memory, err := topology.MemoryNodes(root)
	if err != nil {
		return nil, err
	}
	cpus, err := topology.NodeCPUs(root, []int{node})
	if err != nil {
		return nil, err
	}
	if len(cpus[0]) == 0 || !slices.Contains(memory, node) {
		return nil, fmt.Errorf("node %d lacks CPUs or memory of its own", node)
	}
	return cpus[0], nil
}

func nodesInWords(nodes []int) string {
	if len(nodes) == 1 {
		return fmt.Sprintf("%d is the only one", nodes[0])
	}
	return record.FormatCPUList(nodes) + " are"
}

func onNode(at At, value string) error {
	node, err := Node(value)
	if err != nil {
		return err
	}
	_, err = NodeCPUs(at.Root, node)
	return err
}

// limit declares the limit of CPU time; the kernel takes no quota below a millisecond in 100.
func limit() record.Param {
	p := text("cpu_limit", "limit of the CPU time of started processes, in CPUs, such as 1.5; with "+
		record.ParamTuneGroup+" of an existing control group")
	p.Kind, p.Min, p.Max = record.Float, 0.01, 4096
	return p
}

func cpusOf(value string) (float64, error) {
	cpus, err := strconv.ParseFloat(value, 64)
	if err != nil || !(cpus > 0) {
		return 0, fmt.Errorf("it is not a number of CPUs, such as 1.5")
	}
	return cpus, nil
}

// ownLimit returns an error if no control group of the run's own can be limited.
func ownLimit(at At, value string) error {
	cpus, err := cpusOf(value)
	if err != nil || at.Group != "" {
		return err
	}
	group, err := account.New(at.Root, "limit")
	if err != nil {
		return err
	}
	defer group.Close()
	limit, err := account.LimitCPU(at.Root, group, cpus)
	if err != nil {
		return err
	}
	return limit.Close()
}

// groupLimit returns the place of a limit of a control group that is there.
func groupLimit(at At, value string) ([]Setting, error) {
	if at.Group == "" {
		return nil, nil
	}
	cpus := 0.0
	if value != record.AsFound {
		var err error
		if cpus, err = cpusOf(value); err != nil {
			return nil, err
		}
	}
	path, want, err := account.LimitFile(at.Root, at.Group, cpus)
	return []Setting{{Place: at.Group, Files: []File{{Path: path, Want: want}}}}, err
}
