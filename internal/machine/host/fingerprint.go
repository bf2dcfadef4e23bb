package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// memoryGrain rounds memory in the fingerprint: kernels of one machine reserve slightly different
// amounts for themselves.
const memoryGrain = 64 << 20

// fingerprint returns a digest of a machine's identity and size, 12 hexadecimal digits: an instance
// that was made larger is another machine to measure. It holds nothing that changes with load,
// settings, a reboot or the host's name. It returns an error if the host's name had to do.
func fingerprint(root hostfs.Root, m record.Machine) (string, error) {
	told, err := origin(root)
	if err != nil {
		told = "host name " + m.Host
	}
	rounded := (m.Memory + memoryGrain/2) / memoryGrain * memoryGrain
	facts := fmt.Sprintf("plimsoll machine %q %q %q %d %d", told, m.Arch, m.CPU.Model, m.CPU.Threads, rounded)
	sum := sha256.Sum256([]byte(facts))
	return hex.EncodeToString(sum[:6]), err
}

// errNoOrigin is for containers and boards without an identity of their own.
var errNoOrigin = errors.New("neither a machine id nor a firmware UUID can be read here: the host's name tells this " +
	"machine from others")

// origin returns an identity that no two machines share. The instance's id comes first, since an
// image may bring its machine id along; the firmware's UUID comes last, since root alone may read
// it, and a machine is to be the same for all of its users. It must be recorded nowhere.
func origin(root hostfs.Root) (string, error) {
	for _, source := range []struct {
		path string
		like *regexp.Regexp
	}{
		{root.SysPath("class/dmi/id/board_asset_tag"), regexp.MustCompile(`^i-[0-9a-f]{8,}$`)}, // EC2
		{root.SysPath("hypervisor/uuid"), uuidLike()},                                          // Xen
		{filepath.Join(root.Etc, "machine-id"), regexp.MustCompile(`^[0-9a-f]{32}$`)},
		{root.SysPath("class/dmi/id/product_uuid"), uuidLike()},
	} {
		text, _ := hostfs.ReadText(source.path)
		if text = strings.ToLower(text); source.like.MatchString(text) && !oneDigit(text) {
			return text, nil
		}
	}
	return "", errNoOrigin
}

func uuidLike() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
}

// oneDigit reports whether an identity is filler: makers leave zeros or Fs in the place of a UUID.
func oneDigit(text string) bool {
	digits := strings.ReplaceAll(text, "-", "")
	return strings.Trim(digits, digits[:1]) == ""
}
