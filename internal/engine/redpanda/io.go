package redpanda

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"plimsoll/internal/base/input"
)

// tuned is the file in which rpk iotune leaves what it has measured, and which rpk redpanda start gives to the program.
const tuned = "/etc/redpanda/io-config.yaml"

// ioOption names the file of the disks' properties.
const ioOption = "--io-properties-file="

// maxIO bounds the file of the disks' properties, in bytes.
const maxIO = 1 << 20

// ioProperties returns the option for the properties of disks that usual has, unless the user's options name another
// file or there is none, and the digest of what the program is given; "none" if that is nothing.
func ioProperties(options, usual string) (option []string, digest string, err error) {
	path := ""
	for _, word := range strings.Fields(options) {
		if strings.HasPrefix(word, "--io-properties=") { // they stand in the options, which are a key of the run
			return nil, "in options", nil
		}
		if own, ok := strings.CutPrefix(word, ioOption); ok {
			path = own
		}
	}
	own := path != ""
	if !own {
		path, option = usual, []string{ioOption + usual}
	}
	text, err := input.ReadFile(path, maxIO)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !own:
		return nil, "none", nil
	case err != nil:
		return nil, "", fmt.Errorf("%s: the properties of the disks: %w\nhint: rpk iotune measures them", name, err)
	}
	sum := sha256.Sum256(text)
	return option, "sha256 " + hex.EncodeToString(sum[:4]), nil
}
