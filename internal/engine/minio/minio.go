// Package minio is the engine `minio`: the object store MinIO, built at setup from its Go module. It is one server on one
// or several drives, or one on each of several hosts.
package minio

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const name = "minio"

// Engine is the engine `minio`.
type Engine struct {
	Keys   Keys    // of the server's administrator; empty: made for each start
	Nodes  int     // servers of the erasure set, each with its drives; 0: one
	Layout *Layout // where the servers of several hosts are; nil: there is one server
}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the object store MinIO, one server on one or several drives, built from its Go module"
}

// The parameters.
const (
	ParamDrives = "drives"
	ParamParity = "parity"
	ParamTLS    = engine.ParamTLS
)

// parityUsual leaves the parity to MinIO, by the number of drives.
const parityUsual = "-1"

// MostDrives is the largest erasure set of MinIO.
const MostDrives = 16

// Params implements engine.Engine.
func (Engine) Params() []record.Param {
	return []record.Param{
		{Name: ParamDrives, Kind: record.Int, Default: "1", Min: 1, Max: MostDrives, Phase: record.Server,
			Doc: "number of drives of each server, which are folders; two or more form one erasure set"},
		{Name: ParamParity, Kind: record.Int, Default: parityUsual, Min: -1, Max: MostDrives / 2, Phase: record.Server,
			Doc: "parity shards of each object, at most half of the drives; -1: MinIO's default for so many drives"},
		{Name: ParamTLS, Kind: record.Bool, Default: "false", Phase: record.Server,
			Doc: "clients speak TLS, with a certificate made for the start"},
	}
}

// UsualParity returns MinIO's parity of so many drives (its internal/config/storageclass, DefaultParityBlocks).
func UsualParity(drives int) int {
	switch {
	case drives < 2:
		return 0
	case drives < 4:
		return 1
	case drives < 6:
		return 2
	case drives < 8:
		return 3
	}
	return 4
}

// SetOf returns the number of drives of the erasure set.
func (e Engine) SetOf(p engine.Params) int { return max(e.Nodes, 1) * p.Int(ParamDrives) }

// Check implements engine.Checker.
func (e Engine) Check(p engine.Params) error {
	drives, parity := e.SetOf(p), p.Int(ParamParity)
	switch {
	case drives > MostDrives:
		return fmt.Errorf("%s=%s on each of %d hosts is an erasure set of %d drives\nhint: at most %d on each: "+
			"MinIO's sets have up to %d", ParamDrives, p.Text(ParamDrives), e.Nodes, drives, max(1, MostDrives/e.Nodes),
			MostDrives)
	case parity > drives/2 && e.Nodes > 1:
		return fmt.Errorf("%s=%d with %d drives, %s on each of %d hosts\nhint: parity is at most half of the drives",
			ParamParity, parity, drives, p.Text(ParamDrives), e.Nodes)
	case parity > drives/2:
		return fmt.Errorf("%s=%d with %d drives\nhint: parity is at most half of the drives", ParamParity, parity, drives)
	}
	return nil
}

// Find implements engine.Engine.
func (Engine) Find(context.Context, engine.Params) (engine.Install, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return engine.Install{}, err
	}
	path := filepath.Join(cache, version(), program)
	if st, err := os.Stat(path); err != nil || st.Mode()&0o111 == 0 {
		return engine.Install{}, &engine.Missing{Engine: name, What: program, Looked: filepath.Dir(path)}
	}
	return engine.Install{Name: name, Path: path, Version: version(), From: "cache"}, nil
}

// Instance is a running server.
type Instance struct {
	*engine.Server
	keys   Keys
	drives []string
	layout *Layout // nil: there are no other servers
	secure bool
}

// Keys are the credentials of a server's administrator. They are in no file.
type Keys struct{ Access, Secret string }

// Keys returns the server's credentials.
func (i *Instance) Keys() Keys { return i.keys }

// Drives returns the folders of the server's drives.
func (i *Instance) Drives() []string { return slices.Clone(i.drives) }

// TLS returns the configuration for clients; nil: plain text.
func (i *Instance) TLS() (*tls.Config, error) { return engine.Pin(i.Certificate()) }

// PID returns the id of the server's process.
func (i *Instance) PID() int { return i.Roots()[0] }

// Start implements engine.Engine. The Instance is a *Instance.
func (e Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	i := &Instance{keys: e.Keys, layout: e.Layout, secure: s.Params.Bool(ParamTLS)}
	if i.keys == (Keys{}) {
		i.keys = Keys{Access: rand.Text(), Secret: rand.Text() + rand.Text()}
	}
	if e.Layout != nil {
		own := e.Layout.own()
		s.Host, s.Port = own.Address, int(own.Port)
	}
	for n := range s.Params.Int(ParamDrives) {
		drive := driveIn(s.Scratch, n)
		if err := os.MkdirAll(drive, 0o700); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		i.drives = append(i.drives, drive)
	}
	s.Environ = plain(s.Environ)
	var err error
	i.Server, err = engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		return command(in, s, at, i)
	})
	if err != nil {
		return nil, err
	}
	if err := i.serves(ctx); err != nil {
		_ = i.Stop(context.WithoutCancel(ctx))
		return nil, err
	}
	return i, nil
}

// plain returns an environment without the user's settings of MinIO, by which its servers would differ and wait for
// each other. nil is this process's own.
func plain(environ []string) []string {
	if environ == nil {
		environ = os.Environ()
	}
	return list.Filter(environ, func(v string) bool { return !strings.HasPrefix(v, "MINIO_") })
}

// driveIn returns the folder of drive n, from 0 on.
func driveIn(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("drive%d", n+1)) }

// certsDir is the folder of the certificate, in the scratch directory. MinIO requires its file names.
const certsDir = "certs"

// command returns the command that starts the server at an address.
func command(in engine.Install, s engine.Settings, at netip.AddrPort, i *Instance) (engine.Command, error) {
	certs := filepath.Join(s.Scratch, certsDir)
	if err := os.MkdirAll(certs, 0o700); err != nil {
		return engine.Command{}, fmt.Errorf("%s: %w", name, err)
	}
	// The drives are discarded, so that a server need not finish its requests.
	c := engine.Command{Engine: name, Path: in.Path, ParentDeath: unix.SIGKILL, Interrupt: unix.SIGKILL,
		Args: append([]string{"server", "--quiet", "--address", at.String(), "--certs-dir", certs},
			i.arguments()...),
		Env: []string{"MINIO_ROOT_USER=" + i.keys.Access, "MINIO_ROOT_PASSWORD=" + i.keys.Secret,
			"MINIO_BROWSER=off", "MINIO_UPDATE=off",
			"HOME=" + s.Scratch, // it makes a folder there
			// MinIO otherwise refuses several drives on the disk of the operating system.
			"MINIO_CI_CD=on"}}
	if s.Threads > 0 {
		c.Env = append(c.Env, "GOMAXPROCS="+strconv.Itoa(s.Threads))
	}
	if parity := s.Params.Int(ParamParity); parity >= 0 && len(i.arguments()) > 1 {
		c.Env = append(c.Env, fmt.Sprintf("MINIO_STORAGE_CLASS_STANDARD=EC:%d", parity))
	}
	if !i.secure {
		return c, nil
	}
	c.Certificate = engine.CertPath(certs)
	if i.layout != nil { // it was made with its place
		return c, i.layout.trust(certs)
	}
	return c, certify(certs, at.Addr().String())
}

// certify makes the certificate of a server at a host.
func certify(certs, host string) error {
	if err := engine.SelfSign(certs, host); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for from, to := range map[string]string{engine.CertFile: "public.crt", engine.KeyFile: "private.key"} {
		if err := os.Symlink(from, filepath.Join(certs, to)); err != nil && !os.IsExist(err) {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// arguments returns the drives of the erasure set, as MinIO's command line has them.
func (i *Instance) arguments() []string {
	if i.layout == nil {
		return i.drives
	}
	return i.layout.drives(len(i.drives), i.secure)
}

// The health check: MinIO accepts connections before it can write.
const (
	healthPath    = "/minio/health/cluster"
	healthyWithin = 60 * time.Second
	healthTry     = 15 * time.Second // MinIO answers within 10 s
	healthPoll    = 50 * time.Millisecond
)

// serves returns once the server, and each other one of its erasure set, can write to the drives, or the reason why one
// can't.
func (i *Instance) serves(ctx context.Context) error {
	secure, err := i.trusted()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	client := http.Client{Timeout: healthTry, Transport: &http.Transport{TLSClientConfig: secure, DisableKeepAlives: true}}
	ctx, end := engine.Alive(ctx, i.Server)
	defer end()
	left := []string{i.Addrs()[0]}
	if i.layout != nil {
		left = i.layout.Addrs()
	}
	for until := time.Now().Add(healthyWithin); ; {
		if left, err = i.unhealthy(ctx, &client, left); len(left) == 0 {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", name, context.Cause(ctx))
		}
		if time.Now().After(until) {
			return i.unready(left, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(healthPoll):
		}
	}
}

// unready returns the error of servers that could not write in time; first is why the first of them couldn't.
func (i *Instance) unready(left []string, first error) error {
	if i.layout == nil {
		return fmt.Errorf("%s: it can't write to its drives %v after its start\n"+
			"hint: free disk space below %s", name, healthyWithin, filepath.Dir(i.drives[0]))
	}
	hint := "each host needs free disk space, and a clock within 15 minutes of the others'"
	if !errors.Is(first, errDrives) {
		hint = "each host needs to reach the addresses of the others, at every port: is there a firewall?"
	}
	return fmt.Errorf("%s: %v after the start, %d of the erasure set's %d servers aren't ready; %s, as seen from %s: %w"+
		"\nhint: %s", name, healthyWithin, len(left), len(i.layout.Places), left[0], i.layout.own().Address, first, hint)
}

// errDrives is why a server that answers isn't ready.
var errDrives = errors.New("it can't write to enough drives")

// unhealthy returns the servers that can't write yet, and why the first of them can't.
func (i *Instance) unhealthy(ctx context.Context, client *http.Client, at []string) (left []string, first error) {
	for _, address := range at {
		err := healthy(ctx, client, scheme(i.secure)+"://"+address+healthPath)
		if err == nil {
			continue
		}
		if left = append(left, address); first == nil {
			first = err
		}
	}
	return left, first
}

// healthy returns an error unless the server of a URL can write.
func healthy(ctx context.Context, client *http.Client, at string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	var quoting *url.Error
	switch {
	case errors.As(err, &quoting):
		return quoting.Err
	case err != nil:
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errDrives
	}
	return nil
}

// scheme returns the scheme of a server's URLs.
func scheme(secure bool) string {
	if secure {
		return "https"
	}
	return "http"
}

var _ engine.Setup = Engine{}
