package procs

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/host/hostfs"
	diag "plimsoll/internal/host/sockets"
)

// Behind is what serves the processes of a server: a pooler's database, or the server that a proxy passes requests to.
type Behind struct {
	Roots     []int    // the topmost of each tree, on this machine
	Programs  []string // names of their executables, each once, ascending
	Elsewhere []string // addresses of other machines, ascending
}

// established is the state of a connection: include/net/tcp_states.h of the kernel.
const established = 0x01

// BehindOf returns what processes are connected to now, what that is connected to, and so on. A connection counts if it
// leads to a socket that other processes listen on, and those do not serve the whole machine.
func BehindOf(root hostfs.Root, pids []int) (Behind, error) {
	all, err := Stats(root)
	if err != nil {
		return Behind{}, err
	}
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return Behind{}, fmt.Errorf("list sockets: %w", err)
	}
	skip := []int{1}
	for up := os.Getpid(); up > 0 && root.Live(); up = all[up].PPID {
		skip = append(skip, up)
	}
	var out Behind
	known := Below(all, pids)
	for next := known; len(next) > 0; {
		listeners, elsewhere, err := ledTo(root, pfs, next)
		if err != nil {
			return Behind{}, err
		}
		out.Elsewhere = append(out.Elsewhere, elsewhere...)
		var found []int
		for pid := range all {
			if len(listeners) > 0 && !slices.Contains(known, pid) && !slices.Contains(skip, pid) && holds(root, pid, listeners) {
				found = append(found, pid)
			}
		}
		roots := slices.DeleteFunc(topmost(all, found), func(pid int) bool { return slices.Contains(skip, pid) })
		out.Roots = append(out.Roots, roots...)
		next = slices.DeleteFunc(Below(all, roots), func(pid int) bool { return slices.Contains(known, pid) })
		known = append(known, next...)
	}
	for _, pid := range out.Roots {
		exe, _ := os.Readlink(root.ProcPath(strconv.Itoa(pid), "exe"))
		out.Programs = append(out.Programs, strings.TrimSuffix(filepath.Base(exe), " (deleted)"))
	}
	for _, names := range []*[]string{&out.Programs, &out.Elsewhere} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return out, nil
}

// Below returns the processes and their descendants.
func Below(all map[int]procfs.ProcStat, pids []int) []int {
	out := slices.Clone(pids)
	for pid := range all {
		for up := all[pid].PPID; up > 0; up = all[up].PPID {
			if slices.Contains(pids, up) {
				out = append(out, pid)
				break
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A proxy that does not keep connections has them for a request: it is looked at so often, and for so long, until one
// is seen.
const (
	looksBehind = 12
	lookBehind  = 3 * time.Millisecond // between two
	longBehind  = 100 * time.Millisecond
)

// ledTo returns the listening sockets to which processes are connected, as links in /proc, and the addresses elsewhere.
func ledTo(root hostfs.Root, pfs procfs.FS, pids []int) (listeners, elsewhere []string, err error) {
	for begun, look := time.Now(), 0; ; look++ {
		v := connections{}
		own := map[uint64]bool{}
		for _, pid := range pids {
			for _, inode := range socketsOf(root, pid) {
				own[inode] = true
			}
		}
		v.links, _ = diag.Links() // first: what is brief is over soon
		if err := v.read(root, pfs); err != nil {
			return nil, nil, err
		}
		listeners, elsewhere = v.ledTo(own)
		last := look+1 == looksBehind || time.Since(begun) > longBehind || !root.Live()
		if len(listeners)+len(elsewhere) > 0 || last {
			return listeners, elsewhere, nil
		}
		time.Sleep(lookBehind)
	}
}

// connections are those of the machine.
type connections struct {
	links []diag.Link
	serve map[string]uint64 // listening UNIX sockets, by path
	tcp   procfs.NetTCP     // those that listen
	local map[uint64]string // paths of UNIX sockets, by inode
	peers map[uint64]uint64 // of UNIX sockets
	here  []net.IP
}

func (v *connections) read(root hostfs.Root, pfs procfs.FS) (err error) {
	//nolint:staticcheck // as in Listening
	if v.tcp, err = pfs.NetTCP(); err != nil {
		return fmt.Errorf("list sockets: %w", err)
	}
	six, _ := pfs.NetTCP6() //nolint:staticcheck // likewise
	v.tcp = append(v.tcp, six...)
	if len(v.links) == 0 { // refused in some containers
		for _, c := range v.tcp {
			if c.St == established {
				v.links = append(v.links, diag.Link{Inode: c.Inode, Local: addrPort(c.LocalAddr, c.LocalPort),
					Remote: addrPort(c.RemAddr, c.RemPort)})
			}
		}
	}
	v.local, v.serve = map[uint64]string{}, map[string]uint64{}
	if local, err := pfs.NetUNIX(); err == nil {
		for _, l := range local.Rows {
			v.local[l.Inode] = l.Path
			if l.Path != "" && l.Flags&acceptsConnections != 0 {
				v.serve[l.Path] = l.Inode
			}
		}
	}
	if root.Live() {
		v.peers, _ = diag.Peers()            // refused in some containers: connections by UNIX sockets are not seen
		addresses, _ := net.InterfaceAddrs() // on an error what is here is taken to be elsewhere
		v.here = ipsOf(addresses)
	}
	return nil
}

// acceptsConnections is the flag of a listening UNIX socket: __SO_ACCEPTCON of linux/net.h.
const acceptsConnections = 1 << 16

func ipsOf(addresses []net.Addr) []net.IP {
	var out []net.IP
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok {
			out = append(out, n.IP)
		}
	}
	return out
}

// socketsOf returns the inodes of the sockets that a process holds; none if this user may not see them.
func socketsOf(root hostfs.Root, pid int) []uint64 {
	dir := root.ProcPath(strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []uint64
	for _, e := range entries {
		to, err := os.Readlink(filepath.Join(dir, e.Name()))
		text, ok := strings.CutPrefix(to, "socket:[")
		if err != nil || !ok {
			continue
		}
		if inode, err := strconv.ParseUint(strings.TrimSuffix(text, "]"), 10, 64); err == nil {
			out = append(out, inode)
		}
	}
	return out
}

func (v connections) ledTo(own map[uint64]bool) (listeners, elsewhere []string) {
	serves := v.ports(own)
	for _, c := range v.links {
		if !own[c.Inode] || serves[c.Local.Port()] {
			continue
		}
		remote := net.IP(c.Remote.Addr().AsSlice())
		if !v.isHere(remote) {
			elsewhere = append(elsewhere, c.Remote.String())
			continue
		}
		for _, l := range v.tcp {
			if l.St == listening && uint16(l.LocalPort) == c.Remote.Port() && !own[l.Inode] &&
				(l.LocalAddr.IsUnspecified() || l.LocalAddr.Equal(remote)) {
				listeners = append(listeners, link(l.Inode))
			}
		}
	}
	for inode := range own {
		path := v.local[v.peers[inode]]
		if at, ok := v.serve[path]; ok && path != "" && !own[at] && !ofSystem(path) {
			listeners = append(listeners, link(at))
		}
	}
	return listeners, elsewhere
}

// ports returns those at which one of the sockets listens.
func (v connections) ports(own map[uint64]bool) map[uint16]bool {
	out := map[uint16]bool{}
	for _, l := range v.tcp {
		if l.St == listening && own[l.Inode] {
			out[uint16(l.LocalPort)] = true
		}
	}
	return out
}

func addrPort(ip net.IP, port uint64) netip.AddrPort {
	a, _ := netip.AddrFromSlice(ip)
	return netip.AddrPortFrom(a.Unmap(), uint16(port))
}

func (v connections) isHere(ip net.IP) bool {
	return ip.IsLoopback() || slices.ContainsFunc(v.here, ip.Equal)
}

// ofSystem reports whether the service of a UNIX socket serves all programs, such as their logs and names.
func ofSystem(path string) bool {
	return slices.ContainsFunc([]string{"/run/systemd/", "/run/dbus/", "/var/run/dbus/", "/dev/log", "/run/nscd/",
		"/var/run/nscd/", "/run/udev/"}, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}
