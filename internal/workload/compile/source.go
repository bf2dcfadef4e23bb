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

// sourceOpenSSL is the tree that the article on headroom builds.
const sourceOpenSSL = "openssl"

// tree is what is built, and how.
type tree struct {
	dir       string
	configure string // "": nothing to do
	command   string
}

// treeOf finds the source; what the parameters leave open is that of the source.
func treeOf(p workload.Params) (tree, error) {
	t := tree{dir: p.Text(paramSource), configure: p.Text(paramConfigure), command: p.Text(paramCommand)}
	if t.dir == sourceOpenSSL {
		dir, err := openssl()
		if err != nil {
			return t, err
		}
		t.dir = dir
		t.configure, t.command = or(t.configure, "./Configure"), or(t.command, "make -s build_libs")
	}
	t.command = or(t.command, "make -s")
	if st, err := os.Stat(t.dir); err != nil || !st.IsDir() {
		return t, fmt.Errorf("%s: the source %q is not a directory here\nhint: --set %s.%s=DIRECTORY, or %s", Name, t.dir, Name, paramSource, sourceOpenSSL)
	}
	return t, nil
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// openssl is the source tree that setup has fetched.
func openssl() (string, error) {
	in, err := source.Engine{}.Find(context.Background(), engine.Params{})
	var missing *engine.Missing
	if errors.As(err, &missing) {
		return "", fmt.Errorf("%s: the source of openssl is not here\nhint: plimsoll setup openssl fetches it; --set %s.%s=DIRECTORY builds any tree",
			Name, Name, paramSource)
	}
	return in.Path, err
}
