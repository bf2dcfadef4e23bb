package rdkafka

import (
	"fmt"
	"os"
	"path/filepath"

	"plimsoll/internal/engine"
)

// publish moves the built program into place, for Find, and removes its sources. It is standalone: the library is
// linked statically.
func publish(from engine.AptSource, cache string) error {
	tree, err := from.Tree()
	if err != nil {
		return err
	}
	header, err := os.ReadFile(filepath.Join(tree, "src", "rdkafka.h"))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	version, err := versionIn(string(header))
	if err != nil {
		return fmt.Errorf("%s: %s: %w", name, filepath.Base(tree), err)
	}
	dir := filepath.Join(cache, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := os.Rename(filepath.Join(tree, "examples", program), filepath.Join(dir, program)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.RemoveAll(from.Work)
}
