package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"plimsoll/internal/base/input"
	"plimsoll/internal/engine"
)

// The time limits of the helpers.
const (
	initWithin     = 2 * time.Minute
	checksumWithin = time.Hour // it reads and writes every page
)

// cluster is a directory with a cluster's data and password, and its owner.
type cluster struct {
	bin     string
	dir     string
	secret  string
	as      *syscall.Credential
	environ []string
}

// maxPassword bounds the file of a cluster's password, in bytes.
const maxPassword = 1 << 10

func (c cluster) data() string     { return filepath.Join(c.dir, "data") }
func (c cluster) hba() string      { return filepath.Join(c.dir, "hba.conf") }
func (c cluster) sums() string     { return filepath.Join(c.dir, "checksums") }
func (c cluster) password() string { return filepath.Join(c.dir, "password") }

// tool returns one of the server's helpers.
func (c cluster) tool(program string, within time.Duration, args ...string) engine.Tool {
	return engine.Tool{Engine: name, Path: filepath.Join(c.bin, program), Args: args, Dir: c.dir, Env: c.environ, As: c.as,
		Within: within}
}

// unprivileged returns the server's user if this process is root's.
func unprivileged() (*syscall.Credential, error) { return engine.Unprivileged("postgres", "nobody") }

// newCluster returns the cluster that the settings name, or a new one in the scratch directory, with or without
// checksums as set.
func newCluster(ctx context.Context, in engine.Install, s engine.Settings) (cluster, error) {
	as, err := unprivileged()
	if err != nil {
		return cluster{}, err
	}
	environ := s.Environ
	if environ == nil {
		environ = os.Environ()
	}
	c := cluster{bin: in.Path, dir: s.Params.Text(ParamCluster), as: as, environ: clean(environ)}
	if c.dir == "" {
		c.dir = filepath.Join(s.Scratch, "cluster")
	}
	text, err := input.ReadFile(c.password(), maxPassword)
	switch {
	case err == nil:
		c.secret = strings.TrimSpace(string(text))
	case !errors.Is(err, fs.ErrNotExist):
		return c, fmt.Errorf("read the cluster's password: %w", err)
	case s.Params.Text(ParamCluster) != "":
		return c, fmt.Errorf("%s is not a cluster of ours\nhint: %s takes one made by an earlier start",
			c.dir, ParamCluster)
	default:
		if err := c.make(ctx, in, s.Params.Bool(ParamChecksums)); err != nil {
			return c, err
		}
	}
	// Its files are the server's user's, and the server works in the scratch directory.
	for _, dir := range []string{c.dir, s.Scratch} {
		if err := engine.HandOver(dir, as); err != nil {
			return c, err
		}
	}
	return c, c.setChecksums(ctx, s.Params.Bool(ParamChecksums))
}

// make makes a new cluster.
func (c *cluster) make(ctx context.Context, in engine.Install, checksums bool) error {
	c.secret = rand.Text()
	if err := makeDir(c.dir); err != nil {
		return err
	}
	for path, text := range map[string]string{c.password(): c.secret + "\n", c.hba(): hbaText,
		c.sums(): strconv.FormatBool(checksums)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("make a cluster: %w", err)
		}
	}
	if err := engine.HandOver(c.dir, c.as); err != nil {
		return err
	}
	args := []string{"-D", c.data(), "-U", superuser, "--pwfile", c.password(), "--auth", "scram-sha-256", "--encoding",
		"UTF8", "--no-locale", "--no-sync"}
	switch {
	case checksums:
		args = append(args, "--data-checksums")
	case majorOf(in.Version) >= 18: // checksums are on by default
		args = append(args, "--no-data-checksums")
	}
	_, err := c.tool("initdb", initWithin, args...).Run(ctx)
	return err
}

// checksumProgram turns the page checksums of a stopped cluster on or off.
const checksumProgram = "pg_checksums"

// setChecksums turns the page checksums of a stopped cluster on or off.
func (c cluster) setChecksums(ctx context.Context, want bool) error {
	has, err := c.checksums(ctx)
	if err != nil || has == want {
		return err
	}
	program, err := c.checksummer(ctx)
	if err != nil {
		return err
	}
	change := c.tool(program, checksumWithin, "--disable", "-D", c.data())
	change.Path = program
	if want {
		change.Args[0] = "--enable"
	}
	if _, err = change.Run(ctx); err != nil {
		return err
	}
	return os.WriteFile(c.sums(), []byte(strconv.FormatBool(want)), 0o600)
}

// checksums reports whether the cluster has page checksums: what was written when it was made, or else what the cluster
// says, if it is of an earlier version of this program.
func (c cluster) checksums(ctx context.Context) (bool, error) {
	text, err := input.ReadFile(c.sums(), maxPassword)
	if err == nil {
		return strconv.ParseBool(string(text))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	told, err := c.tool("pg_controldata", initWithin, "-D", c.data()).Run(ctx)
	if err != nil {
		return false, err
	}
	m := regexp.MustCompile(`(?m)^Data page checksum version: +(\d+)$`).FindStringSubmatch(told)
	if m == nil {
		return false, fmt.Errorf("pg_controldata does not report whether %s has checksums", c.data())
	}
	return m[1] != "0", nil
}

// checksummer returns the program that changes checksums: that of the server, or of another PostgreSQL whose clusters
// have the same form, since a release that is set up beside the system's comes without it.
func (c cluster) checksummer(ctx context.Context) (string, error) {
	if has(c.bin, checksumProgram) {
		return filepath.Join(c.bin, checksumProgram), nil
	}
	own, err := installed(ctx, c.bin, "")
	if err != nil {
		return "", err
	}
	if dir, from, err := programs(""); err == nil {
		other, err := installed(ctx, dir, from)
		if err == nil && controlOf(majorOf(other.Version)) == controlOf(majorOf(own.Version)) {
			return filepath.Join(dir, checksumProgram), nil
		}
	}
	return "", fmt.Errorf("PostgreSQL %s in %s has no %s, and no other one here has one for it\nhint: one session for "+
		"each value of %s, or plimsoll setup postgres, whose program does for all from 13 to 17", own.Version, c.bin,
		checksumProgram, ParamChecksums)
}

// controlOf returns the form of a major version's clusters (PG_CONTROL_VERSION, src/include/catalog/pg_control.h): its
// programs refuse clusters of another form.
func controlOf(major int) int {
	if major < 18 {
		return 1300
	}
	return 1800
}

// The defaults of a new cluster.
const (
	stockConnections = 100
	// StockReserved is the number of them reserved for superusers.
	StockReserved = 3
)

// MaxConnections returns the limit of connections of a server with these parameters, including those reserved for
// superusers.
func MaxConnections(p engine.Params) (int, error) {
	all, err := effective(p)
	if err != nil {
		return 0, err
	}
	n := stockConnections
	for _, s := range all {
		if s.name != "max_connections" {
			continue
		}
		if n, err = strconv.Atoi(s.value); err != nil || n < 1 {
			return 0, fmt.Errorf("%s: max_connections = %s is not a number of connections\nhint: a whole number of "+
				"1 or more, in %s", name, s.value, ParamSettings)
		}
	}
	return n, nil
}

// effective returns the preset's settings and the user's, in this order: later ones win.
func effective(p engine.Params) ([]setting, error) {
	own, err := parseSettings(p.Text(ParamSettings))
	if err != nil {
		return nil, err
	}
	preset, err := presetSettings(p.Text(ParamPreset))
	return append(preset, own...), err
}

// Reaches returns an error if a server started here cannot work in a directory.
func Reaches(dir string) error {
	as, err := unprivileged()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := engine.MayEnter(dir, as); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Adjust adapts a stopped cluster to the settings: its user, and its checksums.
func (Engine) Adjust(ctx context.Context, in engine.Install, s engine.Settings) error {
	if _, err := newCluster(ctx, in, s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
