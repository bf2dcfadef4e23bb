package host

import (
	"fmt"
	"io/fs"
	"strconv"
)

// topology counts the online processors.
type topology struct {
	sockets, cores, threads, threadsPerCore int
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
	cores, sockets := map[string]bool{}, map[string]bool{}
	for _, cpu := range cpus {
		dir := root.sys(fmt.Sprintf("devices/system/cpu/cpu%d/topology", cpu))
		core, err := readText(dir + "/thread_siblings_list")
		if err != nil {
			return t, err
		}
		siblings, err := parseList([]byte(core))
		if err != nil {
			return t, fmt.Errorf("siblings of cpu%d: %w", cpu, err)
		}
		socket, err := readText(dir + "/physical_package_id")
		if err != nil {
			return t, err
		}
		cores[core], sockets[socket] = true, true
		t.threadsPerCore = max(t.threadsPerCore, len(siblings))
	}
	t.cores, t.sockets = len(cores), len(sockets)
	return t, nil
}

// numaNodes counts the online NUMA nodes; a kernel without NUMA has one.
func numaNodes(root Root) (int, error) {
	nodes, err := readParsed(root.sys("devices/system/node/online"), parseList)
	if NotHere(err) {
		return 1, nil
	}
	if err == nil && len(nodes) == 0 {
		return 0, fmt.Errorf("no NUMA node is online: %w", fs.ErrInvalid)
	}
	return len(nodes), err
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
