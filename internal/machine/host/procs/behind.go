package procs

import (
	hexadecimal "encoding/hex"
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

	"plimsoll/internal/machine/host/hostfs"
	diag "plimsoll/internal/machine/host/sockets"
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
	more, anew := moreSpaces(root), contained(root, pids)
	for begun, look := time.Now(), 0; ; look++ {
		v := connections{}
		own := map[uint64]bool{}
		for _, pid := range pids {
			for _, inode := range socketsOf(root, pid) {
				own[inode] = true
			}
		}
		links, _ := diag.Links() // first: what is brief is over soon
		if anew && look > 0 {
			more = moreSpaces(root)
		}
		if err := v.read(root, pfs, links, more); err != nil {
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
	spaces []space           // network namespaces; the first is that of this process
	serve  map[string]uint64 // listening UNIX sockets, by path
	local  map[uint64]string // paths of UNIX sockets, by inode
	peers  map[uint64]uint64 // of UNIX sockets
}

// space is a network namespace, such as a container's.
type space struct {
	links []diag.Link
	tcp   procfs.NetTCP // those that listen
	here  []net.IP      // its own addresses
}

// read takes the links of this process's own namespace as given, if there are any, and the other namespaces, and reads
// all else.
func (v *connections) read(root hostfs.Root, pfs procfs.FS, links []diag.Link, more []space) error {
	own, err := readSpace(pfs, links)
	if err != nil {
		return err
	}
	if root.Live() {
		addresses, _ := net.InterfaceAddrs() // on an error what is here is taken to be elsewhere
		own.here = ipsOf(addresses)
	}
	v.spaces = append([]space{own}, more...)
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
		v.peers, _ = diag.Peers() // refused in some containers: connections by UNIX sockets are not seen
	}
	return nil
}

// moreSpaces reads the network namespaces of other processes than this one.
func moreSpaces(root hostfs.Root) (out []space) {
	for _, pid := range otherSpaces(root) {
		pfs, err := procfs.NewFS(root.ProcPath(pid))
		if err != nil {
			continue
		}
		if s, err := readSpace(pfs, nil); err == nil {
			s.here = localAddresses(root, pid)
			out = append(out, s)
		}
	}
	return out
}

// contained reports whether one of the processes is in another network namespace than this one.
func contained(root hostfs.Root, pids []int) bool {
	own, _ := os.Readlink(root.ProcPath("self", "ns", "net"))
	return slices.ContainsFunc(pids, func(pid int) bool {
		ns, err := os.Readlink(root.ProcPath(strconv.Itoa(pid), "ns", "net"))
		return err == nil && ns != own
	})
}

func readSpace(pfs procfs.FS, links []diag.Link) (s space, err error) {
	if s.tcp, err = tcpOf(pfs); err != nil {
		return s, fmt.Errorf("list sockets: %w", err)
	}
	s.links = links
	if len(s.links) == 0 { // refused in some containers, and not asked of other namespaces
		for _, c := range s.tcp {
			if c.St == established {
				s.links = append(s.links, diag.Link{Inode: c.Inode, Local: addrPort(c.LocalAddr, c.LocalPort),
					Remote: addrPort(c.RemAddr, c.RemPort)})
			}
		}
	}
	return s, nil
}

// mostSpaces bounds the namespaces that are read, each of which costs some files.
const mostSpaces = 64

// otherSpaces returns a process of each network namespace but our own; none that this user may not see.
func otherSpaces(root hostfs.Root) []string {
	own, err := os.Readlink(root.ProcPath("self", "ns", "net"))
	entries, err2 := os.ReadDir(root.Proc)
	if err != nil || err2 != nil {
		return nil
	}
	seen, out := map[string]bool{own: true}, []string{}
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		if ns, err := os.Readlink(root.ProcPath(e.Name(), "ns", "net")); err == nil && !seen[ns] && len(out) < mostSpaces {
			seen[ns] = true
			out = append(out, e.Name())
		}
	}
	return out
}

// localAddresses returns the IPv4 addresses of a process's namespace: the entries of fib_trie of type LOCAL, each under
// its address. Of IPv6 they are those of if_inet6.
func localAddresses(root hostfs.Root, pid string) []net.IP {
	var out []net.IP
	text, _ := os.ReadFile(root.ProcPath(pid, "net", "fib_trie"))
	last := ""
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "|--":
			last = fields[1]
		case len(fields) == 3 && fields[0] == "/32" && fields[2] == "LOCAL":
			if ip := net.ParseIP(last); ip != nil {
				out = append(out, ip)
			}
		}
	}
	text, _ = os.ReadFile(root.ProcPath(pid, "net", "if_inet6"))
	for line := range strings.Lines(string(text)) {
		hex, _, _ := strings.Cut(line, " ")
		if b, err := hexadecimal.DecodeString(hex); err == nil && len(b) == net.IPv6len {
			out = append(out, net.IP(b))
		}
	}
	return out
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

// HasSockets reports whether a process has sockets that this user may see.
func HasSockets(root hostfs.Root, pid int) bool { return len(socketsOf(root, pid)) > 0 }

func (v connections) ledTo(own map[uint64]bool) (listeners, elsewhere []string) {
	for _, from := range v.spaces {
		serves := from.ports(own)
		for _, c := range from.links {
			if !own[c.Inode] || serves[c.Local.Port()] {
				continue
			}
			remote := net.IP(c.Remote.Addr().AsSlice())
			to, ok := v.spaceOf(from, remote)
			if !ok {
				elsewhere = append(elsewhere, c.Remote.String())
				continue
			}
			for _, l := range to.tcp {
				if l.St == listening && uint16(l.LocalPort) == c.Remote.Port() && !own[l.Inode] &&
					(l.LocalAddr.IsUnspecified() || l.LocalAddr.Equal(remote)) {
					listeners = append(listeners, link(l.Inode))
				}
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

// spaceOf returns the namespace to which an address leads from another one; false if it is another machine's.
func (v connections) spaceOf(from space, ip net.IP) (space, bool) {
	if ip.IsLoopback() || slices.ContainsFunc(from.here, ip.Equal) {
		return from, true
	}
	for _, s := range v.spaces {
		if slices.ContainsFunc(s.here, ip.Equal) {
			return s, true
		}
	}
	return space{}, false
}

// ports returns those at which one of the sockets listens.
func (s space) ports(own map[uint64]bool) map[uint16]bool {
	out := map[uint16]bool{}
	for _, l := range s.tcp {
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

// ofSystem reports whether the service of a UNIX socket serves all programs, such as their logs and names.
func ofSystem(path string) bool {
	return slices.ContainsFunc([]string{"/run/systemd/", "/run/dbus/", "/var/run/dbus/", "/dev/log", "/run/nscd/",
		"/var/run/nscd/", "/run/udev/"}, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}
