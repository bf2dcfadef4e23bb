package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"plimsoll/internal/record"
	"plimsoll/internal/run"
	"plimsoll/internal/run/ownplans"
)

// rememberPlan notes that a plan is this user's own. If that fails, resuming asks, and nothing else is lost.
func (a *app) rememberPlan(p record.Plan) {
	if err := ownplans.Remember(ownplans.Dir(a.env), p); err != nil {
		fmt.Fprintf(a.stderr, "plimsoll: recording this plan as your own failed, so --resume will ask: %v\n", err)
	}
}

// mayResume rejects a plan that this user neither began nor declares trusted: its file may come from anywhere, and
// contains commands to run. None of it has run before this check.
func (a *app) mayResume(o runOptions, p record.Plan, path string) error {
	digest, err := ownplans.Digest(p)
	if err != nil {
		return err
	}
	if ownplans.Has(ownplans.Dir(a.env), digest) {
		return nil
	}
	if o.trust != "" {
		if len(o.trust) < ownplans.MinTrust || !strings.HasPrefix(digest, o.trust) {
			return usagef("--%s %s: the digest of the plan in %s begins with %s\nhint: read its commands before you give that",
				flagTrust, o.trust, path, digest[:ownplans.MinTrust])
		}
		a.rememberPlan(p)
		return nil
	}
	what := fmt.Sprintf("the plan in %s was not begun by you here. It runs:\n%s", path,
		strings.Join(run.Commands(p, a.declarations()), "\n"))
	in, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("%s\nhint: --%s=%s says that you trust it", what, flagTrust, digest[:ownplans.MinTrust])
	}
	fmt.Fprintf(a.stderr, "plimsoll: %s\nType yes to run it: ", what)
	lines := bufio.NewScanner(in)
	if !lines.Scan() || strings.TrimSpace(lines.Text()) != "yes" {
		return cmp.Or(lines.Err(), errors.New("yes was not typed: nothing was run"))
	}
	a.rememberPlan(p)
	return nil
}
