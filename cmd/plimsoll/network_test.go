package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// networks says whether network namespaces can be made here: as root, where a container does not forbid it. Where they
// can be but not linked, scripts are not skipped, and fail.
func networks() (bool, error) {
	return os.Geteuid() == 0 && exec.Command("unshare", "-n", "true").Run() == nil, nil
}

const onHost = `host=$1
shift
exec ip netns exec "$NETNS$host" unshare -u sh -c 'hostname "$0" && exec env "$@"' "$host" "$@"
`

// network HOST... makes a network namespace for each host of at most 8 letters, all on one bridge, which is in the
// first. The hosts have the addresses 10.97.0.1 and so on. `sh on.sh HOST COMMAND...` runs a command there, under that
// host's name. They end with the script, and what still runs in them does.
func network(ts *testscript.TestScript, neg bool, hosts []string) {
	if neg || len(hosts) == 0 {
		ts.Fatalf("usage: network HOST...")
	}
	// Other runs of these tests, on this machine, have hosts of the same names.
	prefix := fmt.Sprintf("plimsoll-%d-%s-", os.Getpid(), filepath.Base(ts.Getenv("WORK")))
	ts.Setenv("NETNS", prefix)
	ts.Check(os.WriteFile(ts.MkAbs("on.sh"), []byte(onHost), 0o644))
	first := prefix + hosts[0]
	for i, h := range hosts {
		name := prefix + h
		ip(ts, "netns", "add", name)
		ts.Defer(func() {
			evacuate(name)
			_ = exec.Command("ip", "netns", "del", name).Run()
		})
		ip(ts, "-n", name, "link", "set", "lo", "up")
		device := "eth0"
		if i == 0 {
			device = "bridge0"
			ip(ts, "-n", name, "link", "add", device, "type", "bridge")
		} else {
			ip(ts, "-n", first, "link", "add", "to-"+h, "type", "veth", "peer", "name", device, "netns", name)
			ip(ts, "-n", first, "link", "set", "to-"+h, "master", "bridge0", "up")
		}
		ip(ts, "-n", name, "addr", "add", fmt.Sprintf("10.97.0.%d/24", i+1), "dev", device)
		ip(ts, "-n", name, "link", "set", device, "up")
	}
}

func ip(ts *testscript.TestScript, args ...string) {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		ts.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// inside are the processes in a network namespace.
func inside(name string) []int {
	out, _ := exec.Command("ip", "netns", "pids", name).Output()
	var pids []int
	for _, f := range bytes.Fields(out) {
		if pid, err := strconv.Atoi(string(f)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func evacuate(name string) {
	for _, pid := range inside(name) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// deserted HOST waits until nothing runs on a host of the network, but an sshd that listens.
func deserted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: deserted HOST")
	}
	name := ts.Getenv("NETNS") + args[0]
	until(ts, "the end of all that runs on "+args[0], func() bool {
		return !slices.ContainsFunc(inside(name), func(pid int) bool { return !strings.Contains(title(pid), "[listener]") })
	})
}

// title is a process's command line, or what it calls itself; "" once it has ended.
func title(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(bytes.ReplaceAll(b, []byte{0}, []byte(" ")))
}
