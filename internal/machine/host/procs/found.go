package procs

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"plimsoll/internal/machine/host/hostfs"
)

// Wanted names the processes of a server that runs already: by PID, unit or container, else by the addresses at which
// they listen.
type Wanted struct {
	Addresses []string // HOST:PORT with a numeric host, or the path of a UNIX socket
	PID       int
	Unit      string // systemd's name, with or without .service
	Container string // id, or the first 6 or more digits of it
}

// Found is the processes of a server.
type Found struct {
	Roots   []int  // the topmost of each tree
	Program string // path of the first one's executable; "" if unknown
	Build   string // version control's revision of a Go program; "" if unknown
	Unit    string // systemd's unit; "" if none
}

// The errors of Find, which its errors wrap.
var (
	ErrNone    = errors.New("no process")
	ErrNobody  = errors.New("no process listens there")
	ErrUnseen  = errors.New("the process that listens there belongs to another user")
	ErrSeveral = errors.New("several programs listen there")
	ErrParent  = errors.New("plimsoll was started by the process that listens there")
	ErrProxy   = errors.New("the program that listens there passes connections on to another one")
)

// proxy reports whether a program publishes a container's, a pod's or another host's port and does no work of its own.
func proxy(program string) bool {
	switch filepath.Base(program) {
	case "docker-proxy", "rootlessport", "rootlesskit", "slirp4netns", "pasta", "kubectl", "ssh", "socat":
		return true
	}
	return false
}

// listening is the state LISTEN: include/net/tcp_states.h of the kernel.
const listening = 0x0a

// Find returns the processes that are wanted.
func Find(root hostfs.Root, w Wanted) (Found, error) {
	all, err := Stats(root)
	if err != nil {
		return Found{}, err
	}
	var pids []int
	switch {
	case w.PID > 0:
		if _, ok := all[w.PID]; !ok {
			return Found{}, fmt.Errorf("%w has the pid %d", ErrNone, w.PID)
		}
		pids = []int{w.PID}
	case w.Unit != "" || w.Container != "":
		pids = inGroup(root, all, w)
		if len(pids) == 0 {
			return Found{}, noneIn(w)
		}
	default:
		if pids, err = listeners(root, all, w.Addresses); err != nil {
			return Found{}, err
		}
	}
	f := Found{Roots: topmost(all, pids)}
	for up := os.Getpid(); up > 0 && root.Live(); up = all[up].PPID {
		if slices.Contains(f.Roots, up) {
			return f, ErrParent
		}
	}
	if w.PID == 0 && w.Unit == "" && w.Container == "" {
		if err := oneProgram(root, f.Roots); err != nil {
			return f, err
		}
	}
	f.Program, _ = os.Readlink(root.ProcPath(strconv.Itoa(f.Roots[0]), "exe"))
	f.Program = strings.TrimSuffix(f.Program, " (deleted)")
	if w.PID == 0 && proxy(f.Program) {
		return f, fmt.Errorf("%w: %s (pid %d)", ErrProxy, filepath.Base(f.Program), f.Roots[0])
	}
	f.Build = revision(root.ProcPath(strconv.Itoa(f.Roots[0]), "exe"))
	f.Unit = unitOf(root, f.Roots[0])
	return f, nil
}

// noneIn returns the error for a unit or a container without processes.
func noneIn(w Wanted) error {
	if w.Unit != "" {
		return fmt.Errorf("%w is in the systemd unit %s", ErrNone, w.Unit)
	}
	return fmt.Errorf("%w is in a container whose id begins with %s", ErrNone, w.Container)
}

// Stats returns what the kernel tells of each process, by pid.
func Stats(root hostfs.Root) (map[int]procfs.ProcStat, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	procs, err := pfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	all := map[int]procfs.ProcStat{}
	for _, p := range procs {
		if s, err := p.Stat(); err == nil {
			all[p.PID] = s
		}
	}
	return all, nil
}

// topmost leaves out the processes that descend from another one of them, and returns the rest, ascending.
func topmost(all map[int]procfs.ProcStat, pids []int) []int {
	var out []int
	for _, pid := range pids {
		below := false
		for up := all[pid].PPID; up > 0 && !below; up = all[up].PPID {
			below = slices.Contains(pids, up)
		}
		if !below {
			out = append(out, pid)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// oneProgram returns an error if the processes run different executables: one of them may be a proxy of another server.
func oneProgram(root hostfs.Root, pids []int) error {
	names := map[string]int{}
	for _, pid := range pids {
		exe, _ := os.Readlink(root.ProcPath(strconv.Itoa(pid), "exe"))
		names[exe] = pid
	}
	if len(names) < 2 {
		return nil
	}
	var texts []string
	for exe, pid := range names {
		texts = append(texts, fmt.Sprintf("%s (pid %d)", filepath.Base(exe), pid))
	}
	slices.Sort(texts)
	return fmt.Errorf("%w: %s", ErrSeveral, strings.Join(texts, ", "))
}

// listeners returns the processes that hold a listening socket of one of the addresses.
func listeners(root hostfs.Root, all map[int]procfs.ProcStat, addresses []string) ([]int, error) {
	inodes, err := sockets(root, addresses)
	if err != nil {
		return nil, err
	}
	if len(inodes) == 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(addresses, ", "), ErrNobody)
	}
	var pids []int
	for pid := range all {
		if holds(root, pid, inodes) {
			pids = append(pids, pid)
		}
	}
	if len(pids) == 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(addresses, ", "), ErrUnseen)
	}
	return pids, nil
}

// sockets returns the listening sockets of addresses, as links in /proc.
func sockets(root hostfs.Root, addresses []string) ([]string, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return nil, fmt.Errorf("list sockets: %w", err)
	}
	local, _ := pfs.NetUNIX()
	var out []string
	for _, address := range addresses {
		host, text, err := net.SplitHostPort(address)
		if err != nil && local != nil {
			for _, l := range local.Rows {
				if l.Path == address {
					out = append(out, link(l.Inode))
				}
			}
			continue
		}
		ip := net.ParseIP(host)
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			continue
		}
		more, err := Listening(root, port, func(at net.IP) bool { return at.IsUnspecified() || at.Equal(ip) })
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// Listening returns the TCP sockets that listen on a port at addresses of ours that are accepted, as links in /proc.
func Listening(root hostfs.Root, port uint64, accepts func(net.IP) bool) ([]string, error) {
	all, err := tcp(root)
	if err != nil {
		return nil, fmt.Errorf("find who listens on port %d: %w", port, err)
	}
	var out []string
	for _, l := range all {
		if l.St == listening && l.LocalPort == port && accepts(l.LocalAddr) {
			out = append(out, link(l.Inode))
		}
	}
	return out, nil
}

// tcp returns the machine's TCP sockets.
func tcp(root hostfs.Root) (procfs.NetTCP, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return nil, err
	}
	return tcpOf(pfs)
}

// tcpOf returns the TCP sockets of a network namespace.
func tcpOf(pfs procfs.FS) (procfs.NetTCP, error) {
	//nolint:staticcheck // the netlink socket that should take its place is refused in some containers
	four, err := pfs.NetTCP()
	if err != nil {
		return nil, err
	}
	six, _ := pfs.NetTCP6() //nolint:staticcheck // likewise; not there if the kernel has no IPv6
	return slices.Concat(four, six), nil
}

// Places returns the addresses at which processes listen, by TCP, in order.
func Places(root hostfs.Root, pids []int) ([]netip.AddrPort, error) {
	own := map[uint64]bool{}
	for _, pid := range pids {
		for _, inode := range socketsOf(root, pid) {
			own[inode] = true
		}
	}
	all, err := tcp(root)
	if err != nil {
		return nil, fmt.Errorf("find where processes listen: %w", err)
	}
	var out []netip.AddrPort
	for _, l := range all {
		if l.St == listening && own[l.Inode] {
			out = append(out, addrPort(l.LocalAddr, l.LocalPort))
		}
	}
	slices.SortFunc(out, netip.AddrPort.Compare)
	return slices.Compact(out), nil
}

func link(inode uint64) string { return fmt.Sprintf("socket:[%d]", inode) }

func holds(root hostfs.Root, pid int, sockets []string) bool {
	dir := root.ProcPath(strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		to, err := os.Readlink(filepath.Join(dir, e.Name()))
		return err == nil && slices.Contains(sockets, to)
	})
}

// inGroup returns the processes in the control group of a unit or of a container.
func inGroup(root hostfs.Root, all map[int]procfs.ProcStat, w Wanted) []int {
	is := func(segment string) bool {
		if w.Unit != "" {
			return segment == w.Unit || segment == w.Unit+".service"
		}
		id := strings.TrimSuffix(segment, ".scope")
		id = id[strings.LastIndexByte(id, '-')+1:]
		return len(w.Container) >= shortID && strings.HasPrefix(id, w.Container)
	}
	var out []int
	for pid := range all {
		for _, group := range GroupsOf(root, pid) {
			if slices.ContainsFunc(strings.Split(group, "/"), is) {
				out = append(out, pid)
				break
			}
		}
	}
	return out
}

// shortID is the least number of digits that identify a container.
const shortID = 6

// GroupsOf returns the paths of a process's control groups.
func GroupsOf(root hostfs.Root, pid int) []string {
	text, err := os.ReadFile(root.ProcPath(strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if parts := strings.SplitN(strings.TrimSpace(line), ":", 3); len(parts) == 3 {
			out = append(out, parts[2])
		}
	}
	return out
}

func unitOf(root hostfs.Root, pid int) string {
	for _, group := range GroupsOf(root, pid) {
		if name := path.Base(group); strings.HasSuffix(name, ".service") {
			return name
		}
	}
	return ""
}

// revision returns the revision that a Go program was built from, with + if the tree was modified.
func revision(exe string) string {
	info, err := buildinfo.ReadFile(exe)
	if err != nil {
		return ""
	}
	out := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			out = s.Value[:12] + out
		case s.Key == "vcs.modified" && s.Value == "true":
			out += "+"
		}
	}
	return strings.TrimPrefix(out, "+")
}
