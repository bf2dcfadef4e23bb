package host

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"plimsoll/internal/record"
)

// topology counts the online processors.
type topology struct {
	threads, threadsPerCore int
	cores                   [][]int // CPUs of each, in order of the first
	sockets                 [][]int // likewise, in order of the sockets' ids
}

func onlineCPUs(root Root) ([]int, error) {
	return readParsed(root.sys("devices/system/cpu/online"), parseList)
}

// readTopology counts cores by their sets of sibling threads: core_id is only
// unique within a cluster or die on some machines.
func readTopology(root Root) (topology, error) {
	cpus, err := onlineCPUs(root)
	if err != nil {
		return topology{}, err
	}
	t := topology{threads: len(cpus)}
	cores := map[string]bool{}
	for _, cpu := range cpus {
		path := root.sys(fmt.Sprintf("devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
		core, err := readText(path)
		if err != nil {
			return t, err
		}
		siblings, err := parseList([]byte(core))
		if err != nil {
			return t, fmt.Errorf("siblings of cpu%d: %w", cpu, err)
		}
		if !cores[core] {
			t.cores = append(t.cores, siblings)
		}
		cores[core] = true
		t.threadsPerCore = max(t.threadsPerCore, len(siblings))
	}
	t.sockets, err = socketsOf(root, cpus)
	return t, err
}

// SocketCPUs lists the online CPUs of each socket, ascending, in order of the
// sockets' ids. On an Arm machine whose firmware does not describe its sockets
// all CPUs are of one.
func SocketCPUs(root Root) ([][]int, error) {
	cpus, err := onlineCPUs(root)
	if err != nil {
		return nil, fmt.Errorf("sockets: %w", err)
	}
	return socketsOf(root, cpus)
}

func socketsOf(root Root, cpus []int) ([][]int, error) {
	of := map[int][]int{}
	for _, cpu := range cpus {
		socket, err := socketID(root, cpu)
		if err != nil {
			return nil, fmt.Errorf("socket of cpu%d: %w", cpu, err)
		}
		of[socket] = append(of[socket], cpu)
	}
	var out [][]int
	for _, socket := range slices.Sorted(maps.Keys(of)) {
		out = append(out, of[socket])
	}
	return out, nil
}

// socketID is -1 where the kernel does not know it.
func socketID(root Root, cpu int) (int, error) {
	text, err := readText(root.sys(fmt.Sprintf("devices/system/cpu/cpu%d/topology/physical_package_id", cpu)))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// lists writes CPUs of each place as records hold them: "0-17,36-53".
func lists(of [][]int) []string {
	var out []string
	for _, cpus := range of {
		out = append(out, record.FormatCPUList(cpus))
	}
	return out
}

// onlineNodes lists the online NUMA nodes; a kernel without NUMA has none.
func onlineNodes(root Root) ([]int, error) {
	nodes, err := readParsed(root.sys("devices/system/node/online"), parseList)
	if NotHere(err) {
		return nil, nil
	}
	if err == nil && len(nodes) == 0 {
		return nil, fmt.Errorf("no NUMA node is online: %w", fs.ErrInvalid)
	}
	return nodes, err
}

// nodeCPUs lists the CPUs of NUMA nodes; a node of memory alone has none.
func nodeCPUs(root Root, nodes []int) ([][]int, error) {
	var out [][]int
	for _, node := range nodes {
		cpus, err := readParsed(root.sys(fmt.Sprintf("devices/system/node/node%d/cpulist", node)), parseList)
		if err != nil {
			return nil, err
		}
		out = append(out, cpus)
	}
	return out, nil
}

// maxMHz is the highest clock that the first CPU's governor may choose; virtual
// machines seldom show one.
func maxMHz(root Root) (float64, bool) {
	text, err := readText(root.sys("devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
	if err != nil {
		return 0, false
	}
	khz, err := strconv.ParseUint(text, 10, 32)
	return float64(khz) / 1000, err == nil
}

// numaNodes counts nodes; a kernel without NUMA has one.
func numaNodes(nodes []int, err error) int {
	if err != nil {
		return 0
	}
	return cmp.Or(len(nodes), 1)
}

// parseList is record.ParseCPUList as a parser of a source.
func parseList(b []byte) ([]int, error) { return record.ParseCPUList(string(b)) }
