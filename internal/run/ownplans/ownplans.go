// Package ownplans keeps digests of the plans that a user has begun here. A session can come from anywhere, and its
// plan names commands: --resume runs without a question only what is in this list.
package ownplans

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plimsoll/internal/base/xdg"
	"plimsoll/internal/record"
)

// Limits on the number and age of the user's own plans. Resuming an older one asks.
const (
	keptPlans = 2000
	keptFor   = 400 * 24 * time.Hour
)

// MinTrust is the number of digits of a plan's digest that identify it.
const MinTrust = 12

// Digest returns a digest of everything in a plan, and so of everything it would run. It is computed from the plan
// as read back, which is what runs.
func Digest(p record.Plan) (string, error) {
	text, err := json.Marshal(p)
	if err == nil { // as after writing and reading
		var read record.Plan
		if err = json.Unmarshal(text, &read); err == nil {
			text, err = json.Marshal(read)
		}
	}
	if err != nil {
		return "", fmt.Errorf("the digest of the plan: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Dir returns the directory with the digests of this user's plans, each the name of an empty file; "" without a
// home.
func Dir(env func(string) string) string {
	state := xdg.State().Dir(env)
	if state == "" {
		return ""
	}
	return filepath.Join(state, "plans")
}

// Remember notes that a plan is this user's own, and forgets the oldest. Without a directory it does nothing.
func Remember(dir string, p record.Plan) error {
	digest, err := Digest(p)
	if err != nil || dir == "" {
		return err
	}
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, digest), nil, 0o600)
	}
	if err != nil {
		return err
	}
	forget(dir)
	return nil
}

// Has reports whether a plan is in the list, by its digest.
func Has(dir, digest string) bool {
	if dir == "" {
		return false
	}
	info, err := os.Lstat(filepath.Join(dir, digest))
	return err == nil && info.Mode().IsRegular()
}

// forget removes the oldest.
func forget(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var noted []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			noted = append(noted, info)
		}
	}
	slices.SortFunc(noted, func(x, y fs.FileInfo) int { return y.ModTime().Compare(x.ModTime()) })
	for i, info := range noted {
		if i >= keptPlans || time.Since(info.ModTime()) > keptFor {
			_ = os.Remove(filepath.Join(dir, info.Name()))
		}
	}
}
