package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// nics lists the network interfaces that a device stands behind. It reads no
// address.
func nics(root hostfs.Root) []record.NIC {
	entries, _ := os.ReadDir(root.SysPath("class/net"))
	var out []record.NIC
	for _, e := range entries {
		dir := root.SysPath("class/net", e.Name())
		if hostfs.IsDir(filepath.Join(dir, "device")) {
			out = append(out, readNIC(dir))
		}
	}
	return out
}

func readNIC(dir string) record.NIC {
	n := record.NIC{Name: filepath.Base(dir)}
	if b, err := os.ReadFile(filepath.Join(dir, "device/uevent")); err == nil {
		n.Driver = parseDriver(b)
	}
	// Virtual ones say -1, and one that is down fails with EINVAL.
	if mbit, err := hostfs.ReadNumber(filepath.Join(dir, "speed")); err == nil && mbit > 0 {
		n.Mbit = mbit
	}
	n.MTU, _ = hostfs.ReadNumber(filepath.Join(dir, "mtu"))
	state, _ := hostfs.ReadText(filepath.Join(dir, "operstate"))
	n.Up = state == "up"
	return n
}

// parseDriver returns the driver of a device's uevent, "" for none.
func parseDriver(b []byte) string {
	for line := range bytes.Lines(b) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "DRIVER="); ok {
			return name
		}
	}
	return ""
}
