package topology

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

// lscpu is what that command said of a machine.
type lscpu struct {
	cpus, sockets, coresPerSocket, threadsPerCore int
	nodes                                         []string // lists of CPUs
	sizes                                         []string // of L1d, L1i, L2, L3
	rows                                          [][]string
}

// The columns of lscpu -p: CPU,Core,Socket,Node,,L1d,L1i,L2,L3.
const (
	colCPU, colCore, colSocket, colNode, colL1d = 0, 1, 2, 3, 5
)

func parseLscpu(t *testing.T, b []byte) lscpu {
	t.Helper()
	var l lscpu
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case strings.HasPrefix(line, "#"):
		case !ok:
			l.rows = append(l.rows, strings.Split(line, ","))
		case strings.HasPrefix(key, "NUMA node") && strings.HasSuffix(key, "CPU(s)"):
			cpus, err := kernfmt.List([]byte(value))
			if err != nil {
				t.Fatal(err)
			}
			l.nodes = append(l.nodes, record.FormatCPUList(cpus))
		case strings.HasSuffix(key, "cache"):
			l.sizes = append(l.sizes, value)
		default:
			l.count(t, key, value)
		}
	}
	if l.rows == nil {
		l.assume(t)
	}
	return l
}

func (l *lscpu) count(t *testing.T, key, value string) {
	t.Helper()
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	switch key {
	case "CPU(s)":
		l.cpus = n
	case "Socket(s)":
		l.sockets = n
	case "Core(s) per socket":
		l.coresPerSocket = n
	case "Thread(s) per core":
		l.threadsPerCore = n
	}
}

// assume makes the table that lscpu's summary leaves open.
func (l *lscpu) assume(t *testing.T) {
	t.Helper()
	cores := l.cpus / l.threadsPerCore
	for node, list := range l.nodes {
		cpus, err := kernfmt.List([]byte(list))
		if err != nil {
			t.Fatal(err)
		}
		for _, cpu := range cpus {
			l.rows = append(l.rows, []string{strconv.Itoa(cpu), strconv.Itoa(cpu % cores),
				strconv.Itoa(node * l.sockets / len(l.nodes)), strconv.Itoa(node)})
		}
	}
}

// expand writes the machine as the kernel would show it.
func (l lscpu) expand(t *testing.T) hostfs.Root {
	t.Helper()
	root := hostfs.Root{Sys: t.TempDir()}
	put := func(path, format string, args ...any) {
		path = root.SysPath("devices/system", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		hosttest.Write(t, path, fmt.Sprintf(format, args...)+"\n")
	}
	put("cpu/online", "0-%d", l.cpus-1)
	put("node/online", "0-%d", len(l.nodes)-1)
	for node, list := range l.nodes {
		put(fmt.Sprintf("node/node%d/cpulist", node), "%s", list)
	}
	for _, row := range l.rows {
		dir := "cpu/cpu" + row[colCPU]
		put(dir+"/topology/physical_package_id", "%s", row[colSocket])
		put(dir+"/topology/thread_siblings_list", "%s", l.sharing(t, row, colCore))
		for i, size := range l.sizes {
			cache := fmt.Sprintf("%s/cache/index%d", dir, i)
			put(cache+"/level", "%d", max(1, i))
			put(cache+"/type", "%s", []string{"Data", "Instruction", "Unified", "Unified"}[i])
			put(cache+"/size", "%s", size)
			put(cache+"/shared_cpu_list", "%s", l.sharing(t, row, colL1d+i))
		}
	}
	return root
}

// sharing lists the CPUs that have the same in a column.
func (l lscpu) sharing(t *testing.T, with []string, column int) string {
	t.Helper()
	var out []int
	for _, row := range l.rows {
		if row[column] != with[column] {
			continue
		}
		cpu, err := strconv.Atoi(row[colCPU])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, cpu)
	}
	return record.FormatCPUList(out)
}
