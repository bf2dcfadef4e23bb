package openssl

import (
	"fmt"
	"os"
	"path/filepath"
)

// publish moves the tree that was unpacked into place, where Find looks.
func publish(work, cache string) error {
	trees, _ := filepath.Glob(filepath.Join(work, "tree", "openssl-*"))
	if len(trees) != 1 {
		return fmt.Errorf("openssl: what was fetched into %s holds %d trees, not one", work, len(trees))
	}
	dir := filepath.Join(cache, filepath.Base(trees[0]))
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("openssl: remove an earlier tree: %w", err)
	}
	if err := os.Rename(trees[0], dir); err != nil {
		return fmt.Errorf("openssl: %w", err)
	}
	return os.RemoveAll(work)
}
