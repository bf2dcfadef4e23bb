package compile

import (
	"context"
	"errors"
	"fmt"
	"os"

	"plimsoll/internal/engine"
	source "plimsoll/internal/engine/openssl"
	"plimsoll/internal/workload"
)

// The trees of OpenSSL: that built in the headroom article, and the part of it that a quick session has time for.
const (
	sourceOpenSSL = "openssl"
	sourceLibSSL  = "libssl"
)

// tree is a source tree and the commands that build it.
type tree struct {
	dir       string
	configure string // "": nothing to do
	command   string
}

// treeOf returns the source tree; commands that the parameters leave empty get the source's defaults.
func treeOf(p workload.Params) (tree, error) {
	t := tree{dir: p.Text(paramSource), configure: p.Text(paramConfigure), command: p.Text(paramCommand)}
	if goals := opensslGoals(t.dir); goals != "" {
		dir, err := openssl()
		if err != nil {
			return t, err
		}
		t.dir = dir
		t.configure, t.command = or(t.configure, "./Configure"), or(t.command, "make -s "+goals)
	}
	t.command = or(t.command, "make -s")
	if st, err := os.Stat(t.dir); err != nil || !st.IsDir() {
		return t, fmt.Errorf("%s: the source %q is not a directory\nhint: "+
			"--set %s.%s=DIRECTORY, or %s", Name, t.dir, Name, paramSource, sourceOpenSSL)
	}
	return t, nil
}

// opensslGoals returns what to make of OpenSSL's tree; "" if the source is another one.
func opensslGoals(source string) string {
	switch source {
	case sourceOpenSSL:
		return "build_libs"
	case sourceLibSSL:
		return "build_generated libssl.a"
	}
	return ""
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

func openssl() (string, error) {
	in, err := source.Engine{}.Find(context.Background(), engine.Params{})
	var missing *engine.Missing
	if errors.As(err, &missing) {
		return "", &noSource{missing}
	}
	return in.Path, err
}

// noSource says how to get a tree.
type noSource struct{ missing *engine.Missing }

func (e *noSource) Error() string {
	return fmt.Sprintf("%s: the source of openssl is not installed\nhint: plimsoll setup openssl fetches "+
		"it; --set %s.%s=DIRECTORY builds any tree", Name, Name, paramSource)
}

func (e *noSource) Unwrap() error { return e.missing }
