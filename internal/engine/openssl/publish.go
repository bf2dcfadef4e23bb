package openssl

import (
	"fmt"
	"os"
	"path/filepath"

	"plimsoll/internal/engine"
)

// publish moves the unpacked tree into place, for Find.
func publish(source engine.AptSource, cache string) error {
	tree, err := source.Tree()
	if err != nil {
		return err
	}
	dir := filepath.Join(cache, filepath.Base(tree))
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("openssl: remove an earlier tree: %w", err)
	}
	if err := os.Rename(tree, dir); err != nil {
		return fmt.Errorf("openssl: %w", err)
	}
	return os.RemoveAll(source.Work)
}
