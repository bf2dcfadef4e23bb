package site

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// KeepIn keeps the summaries of the served directory in a cache folder, if there is one. They are those of the running
// program, which its file identifies: not every build has a version of its own.
func (o *Options) KeepIn(cache, version string) {
	where, err := filepath.Abs(o.Dir)
	if err != nil || cache == "" {
		return
	}
	exe, err := os.Executable()
	if err != nil {
		return
	}
	info, err := os.Stat(exe)
	if err != nil {
		return
	}
	sum := sha256.Sum256([]byte(where))
	o.keep = store{
		path:    filepath.Join(cache, fmt.Sprintf("explorer-%x.json", sum[:8])),
		program: fmt.Sprintf("%s, %d bytes of %s", version, info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano)),
	}
}
