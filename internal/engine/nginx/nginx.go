// Package nginx is the engine `nginx`: the system's own nginx, with a configuration, files and processes of ours
// beside any others.
package nginx

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/semver"
	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const (
	name = "nginx"
	// variable sets the program to run instead of the one in PATH.
	variable = "PLIMSOLL_NGINX"
)

// Engine is the engine `nginx`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the web server nginx, HTTP/1.1: / is a static file, /hello twelve bytes from memory"
}

// Params implements engine.Engine.
func (Engine) Params() []record.Param { return engine.WebParams() }

// Heat implements engine.Web.
func (Engine) Heat() time.Duration { return 0 }

// Find implements engine.Engine.
func (Engine) Find(ctx context.Context, p engine.Params) (engine.Install, error) {
	path, from, err := engine.Program(name, name, variable)
	if err != nil {
		return engine.Install{}, err
	}
	text, err := engine.Answer(ctx, name, path, "-V")
	if err != nil {
		return engine.Install{}, err
	}
	version, err := checkVersion(text)
	if err != nil {
		return engine.Install{}, fmt.Errorf("nginx: %s: %w", path, err)
	}
	if p.Bool(engine.ParamTLS) && !strings.Contains(text, "--with-http_ssl_module") {
		return engine.Install{}, fmt.Errorf("nginx: %s was built without TLS\nhint: leave out %s, or set %s to "+
			"another nginx", path, engine.ParamTLS, variable)
	}
	return engine.Install{Name: name, Path: path, Version: version, From: from}, nil
}

// Setup implements engine.Setup.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	return engine.InstallPackages(name, engine.Package{Apt: name, Dnf: name, Apk: name})
}

// Start implements engine.Engine.
func (Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		c := engine.Command{
			Engine: name, Path: in.Path,
			Args: []string{"-p", s.Scratch + "/", "-c", confFile, "-e", "stderr"},
			// The master ends its workers, which survive if it is killed.
			ParentDeath: unix.SIGTERM,
		}
		if s.Params.Bool(engine.ParamTLS) {
			c.Certificate = engine.CertPath(s.Scratch)
		}
		return c, write(s, at)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// write writes the files of nginx into the scratch directory.
func write(s engine.Settings, at netip.AddrPort) error {
	conf, err := configure(s, at)
	if err != nil {
		return err
	}
	for _, dir := range []string{wwwDir, tempDir} {
		if err := os.MkdirAll(filepath.Join(s.Scratch, dir), 0o700); err != nil {
			return fmt.Errorf("nginx: create a directory: %w", err)
		}
	}
	if s.Params.Bool(engine.ParamTLS) {
		if err := engine.SelfSign(s.Scratch, at.Addr().String()); err != nil {
			return fmt.Errorf("nginx: %w", err)
		}
	}
	for path, content := range map[string][]byte{
		confFile:                         conf,
		filepath.Join(wwwDir, indexFile): engine.Body(s.Params.Int(engine.ParamBody)),
	} {
		if err := os.WriteFile(filepath.Join(s.Scratch, path), content, 0o600); err != nil {
			return fmt.Errorf("nginx: %w", err)
		}
	}
	return nil
}

// oldest is the first version with an option for the error log before the configuration is read (-e):
// nginx.org/en/CHANGES, 1.19.5.
const oldest = "1.19.5"

// checkVersion parses the output of `nginx -V` and returns the version.
func checkVersion(text string) (string, error) {
	m := regexp.MustCompile(`nginx version: \S*/(\d+\.\d+\.\d+)`).FindStringSubmatch(text)
	if m == nil {
		return "", errors.New("it does not print its version\nhint: " + variable + "=PATH sets the program to run")
	}
	if semver.Compare("v"+m[1], "v"+oldest) < 0 {
		return "", fmt.Errorf("version %s is older than %s\nhint: install a newer one; %s=PATH sets its path",
			m[1], oldest, variable)
	}
	return m[1], nil
}
