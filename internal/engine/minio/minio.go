// Package minio is the engine `minio`: the object store MinIO, one server on one or several drives, built at setup from
// its Go module.
package minio

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const name = "minio"

// Engine is the engine `minio`.
type Engine struct {
	Keys Keys // of the server's administrator; empty: made for each start
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
			Doc: "number of drives, which are folders; two or more form one erasure set"},
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

// Check implements engine.Checker.
func (Engine) Check(p engine.Params) error {
	drives, parity := p.Int(ParamDrives), p.Int(ParamParity)
	if parity > drives/2 {
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
}

// Keys are the credentials of a server's administrator. They are in no file.
type Keys struct{ Access, Secret string }

// Keys returns the server's credentials.
func (i *Instance) Keys() Keys { return i.keys }

// Drives returns the folders of the server's drives.
func (i *Instance) Drives() []string { return slices.Clone(i.drives) }

// TLS returns the configuration for clients; nil: plain text.
func (i *Instance) TLS() (*tls.Config, error) { return engine.Pin(i.Certificate()) }

// Start implements engine.Engine. The Instance is a *Instance.
func (e Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	i := &Instance{keys: e.Keys}
	if i.keys == (Keys{}) {
		i.keys = Keys{Access: rand.Text(), Secret: rand.Text() + rand.Text()}
	}
	for n := range s.Params.Int(ParamDrives) {
		drive := filepath.Join(s.Scratch, fmt.Sprintf("drive%d", n+1))
		if err := os.MkdirAll(drive, 0o700); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		i.drives = append(i.drives, drive)
	}
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
		Args: append([]string{"server", "--quiet", "--address", at.String(), "--certs-dir", certs}, i.drives...),
		Env: []string{"MINIO_ROOT_USER=" + i.keys.Access, "MINIO_ROOT_PASSWORD=" + i.keys.Secret,
			"MINIO_BROWSER=off", "MINIO_UPDATE=off",
			"HOME=" + s.Scratch, // it makes a folder there
			// MinIO otherwise refuses several drives on the disk of the operating system.
			"MINIO_CI_CD=on"}}
	if s.Threads > 0 {
		c.Env = append(c.Env, "GOMAXPROCS="+strconv.Itoa(s.Threads))
	}
	if parity := s.Params.Int(ParamParity); parity >= 0 && len(i.drives) > 1 {
		c.Env = append(c.Env, fmt.Sprintf("MINIO_STORAGE_CLASS_STANDARD=EC:%d", parity))
	}
	if !s.Params.Bool(ParamTLS) {
		return c, nil
	}
	if err := engine.SelfSign(certs, at.Addr().String()); err != nil {
		return c, err
	}
	c.Certificate = engine.CertPath(certs)
	for from, to := range map[string]string{engine.CertFile: "public.crt", engine.KeyFile: "private.key"} {
		if err := os.Symlink(from, filepath.Join(certs, to)); err != nil && !os.IsExist(err) {
			return c, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, nil
}

// The health check: MinIO accepts connections before it can write.
const (
	healthPath    = "/minio/health/cluster"
	healthyWithin = 60 * time.Second
	healthPoll    = 50 * time.Millisecond
)

// serves returns once the server can write to its drives, or the reason why it can't.
func (i *Instance) serves(ctx context.Context) error {
	secure, err := i.TLS()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	scheme := "http://"
	if secure != nil {
		scheme = "https://"
	}
	client := http.Client{Timeout: healthyWithin, Transport: &http.Transport{TLSClientConfig: secure,
		DisableKeepAlives: true}}
	ctx, end := engine.Alive(ctx, i.Server)
	defer end()
	for until := time.Now().Add(healthyWithin); time.Now().Before(until); {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+i.Addrs()[0]+healthPath, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if resp, err := client.Do(req); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", name, context.Cause(ctx))
		case <-time.After(healthPoll):
		}
	}
	return fmt.Errorf("%s: it can't write to its drives %v after its start\n"+
		"hint: free disk space below %s", name, healthyWithin, filepath.Dir(i.drives[0]))
}

var _ engine.Setup = Engine{}
