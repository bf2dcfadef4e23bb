package account

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"plimsoll/internal/host/hostfs"
)

// parsePids reads cgroup.procs: a process a line, in any order, maybe twice (cgroups(7)).
func parsePids(b []byte) ([]int, error) {
	var out []int
	for _, field := range strings.Fields(string(b)) {
		pid, err := strconv.Atoi(field)
		if err != nil || pid < 0 {
			return nil, fmt.Errorf("%.30q is not the id of a process", field)
		}
		if pid > 0 { // 0: one of another namespace of ids
			out = append(out, pid)
		}
	}
	return out, nil
}

func groupPids(dir string) ([]int, error) {
	return hostfs.ReadParsed(filepath.Join(dir, "cgroup.procs"), parsePids)
}

// Pids lists the processes that are in the group now.
func (g *group1) Pids() ([]int, error) { return groupPids(g.dir) }

// Pids lists the processes that are in the group now.
func (g *group2) Pids() ([]int, error) { return groupPids(g.dir.Name()) }

// Pids lists the processes of the account that live, with their descendants.
func (t *Tree) Pids() ([]int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all, err := t.stats()
	if err != nil {
		return nil, err
	}
	var out []int
	for pid := range t.members(all) {
		out = append(out, pid)
	}
	return out, nil
}
