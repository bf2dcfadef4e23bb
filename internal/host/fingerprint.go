package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"plimsoll/internal/record"
)

// memoryGrain is what memory is rounded to in the fingerprint: kernels of one
// machine differ by less in what they reserve for themselves.
const memoryGrain = 64 << 20

// fingerprint hashes what makes a machine what it is, 12 hexadecimal digits.
// It holds nothing that changes with load, settings or a reboot.
func fingerprint(root Root, m record.Machine) string {
	rounded := (m.Memory + memoryGrain/2) / memoryGrain * memoryGrain
	facts := fmt.Sprintf("%q %q %q %d %d %q", machineID(root), m.Arch, m.CPU.Model, m.CPU.Threads, rounded, m.Name)
	sum := sha256.Sum256([]byte(facts))
	return hex.EncodeToString(sum[:6])
}

// machineID is the installation's own identity, "" where there is none.
func machineID(root Root) string {
	id, _ := readText(filepath.Join(root.Etc, "machine-id"))
	return id
}
