package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"plimsoll/internal/record"
	"plimsoll/internal/run"
)

// Limits on the number and age of the user's own plans. Resuming an older one asks.
const (
	keptPlans = 2000
	keptFor   = 400 * 24 * time.Hour
)

// minTrust is the number of digits of a plan's digest that identify it.
const minTrust = 12

// planDigest returns a digest of everything in a plan, and so of everything it would run. It is computed from the plan
// as read back, which is what runs.
func planDigest(p record.Plan) (string, error) {
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

// plansDir returns the directory with the digests of this user's plans, each the name of an empty file; "" without a
// home.
func (a *app) plansDir() string {
	state := a.env("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // the XDG specification ignores others
		home := a.env("HOME")
		if home == "" {
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "plimsoll", "plans")
}

// rememberPlan notes that a plan is this user's own. If that fails, resuming asks, and nothing else is lost.
func (a *app) rememberPlan(p record.Plan) {
	dir := a.plansDir()
	digest, err := planDigest(p)
	if err != nil || dir == "" {
		return
	}
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, digest), nil, 0o600)
	}
	if err != nil {
		fmt.Fprintf(a.stderr, "plimsoll: recording this plan as your own failed, so --resume will ask: %v\n", err)
		return
	}
	forgetPlans(dir)
}

// forgetPlans removes the oldest.
func forgetPlans(dir string) {
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

// mayResume rejects a plan that this user neither began nor declares trusted: its file may come from anywhere, and
// contains commands to run. None of it has run before this check.
func (a *app) mayResume(o runOptions, p record.Plan, path string) error {
	digest, err := planDigest(p)
	if err != nil {
		return err
	}
	if dir := a.plansDir(); dir != "" {
		if info, err := os.Lstat(filepath.Join(dir, digest)); err == nil && info.Mode().IsRegular() {
			return nil
		}
	}
	if o.trust != "" {
		if len(o.trust) < minTrust || !strings.HasPrefix(digest, o.trust) {
			return usagef("--%s %s: the digest of the plan in %s begins with %s\nhint: read its commands before you give that", flagTrust, o.trust, path, digest[:minTrust])
		}
		a.rememberPlan(p)
		return nil
	}
	what := fmt.Sprintf("the plan in %s was not begun by you here. It runs:\n%s", path, strings.Join(run.Commands(p, a.declarations()), "\n"))
	in, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("%s\nhint: --%s=%s says that you trust it", what, flagTrust, digest[:minTrust])
	}
	fmt.Fprintf(a.stderr, "plimsoll: %s\nType yes to run it: ", what)
	lines := bufio.NewScanner(in)
	if !lines.Scan() || strings.TrimSpace(lines.Text()) != "yes" {
		return cmp.Or(lines.Err(), errors.New("yes was not typed: nothing was run"))
	}
	a.rememberPlan(p)
	return nil
}
