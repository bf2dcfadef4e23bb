package postgres

import (
	"archive/tar"
	"archive/zip"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ulikunitz/xz"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

// sources has a folder for each release that is set up beside the system's: its pom.xml, and the SHA-256 of its
// downloads.
//
//go:embed source
var sources embed.FS

// ReleaseSystem is the value of ParamRelease for the programs of the system, or those that ParamBin names.
const ReleaseSystem = "system"

// releases returns the releases, the newest first.
func releases() []string { return pinned().Releases() }

func pinned() engine.Pinned { return engine.Pinned{FS: sources, Dir: "source"} }

// homeDir is the directory of the programs' tree in that of a setup.
const homeDir = "home"

// build returns the setup of a release for an architecture, as Go names it.
func build(release, arch string) (jvm.Build, error) {
	machine := map[string]string{"amd64": "-linux-amd64-", "arm64": "-linux-arm64v8-"}[arch]
	b := jvm.Build{Home: jvm.Home{Engine: name}, Pom: pinned().File(release, "pom.xml"),
		Pins: pinned().File(release, "sha256sums"), Version: release, Fetches: "PostgreSQL " + release,
		SetUpAs: name + engine.ReleaseMark + release, Kind: "server",
		After: func(dir string) error { return unpack(dir, machine) }}
	if machine == "" || !strings.Contains(string(b.Pins), machine) {
		return b, fmt.Errorf("%s: release %s is not in the registry for %s\nhint: install it yourself: %s=DIRECTORY of its "+
			"programs", name, release, arch, ParamBin)
	}
	return b, nil
}

// released returns the programs of a release that has been set up.
func released(ctx context.Context, release string) (engine.Install, error) {
	b, err := build(release, runtime.GOARCH)
	if err != nil {
		return engine.Install{}, err
	}
	if err := reachable(b); err != nil {
		return engine.Install{}, err
	}
	dir, err := b.Here()
	if err != nil {
		return engine.Install{}, err
	}
	return installed(ctx, filepath.Join(dir, homeDir, "bin"), "cache")
}

// reachable returns an error if the server's user may not enter the directory of a setup: it is root's own.
func reachable(b jvm.Build) error {
	as, err := unprivileged()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	dir, err := b.Dir()
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	for ; err != nil && dir != filepath.Dir(dir); real, err = filepath.EvalSymlinks(dir) {
		dir = filepath.Dir(dir)
	}
	if err := engine.MayEnter(real, as); err != nil {
		return fmt.Errorf("%s: release %s would be in %s, and a server that root starts runs as another user, who may not "+
			"enter that\nhint: export XDG_CACHE_HOME=/var/cache, for setup and for run", name, b.Version, dir)
	}
	return nil
}

// unpack unpacks the programs for a machine from its jar.
func unpack(dir, machine string) error {
	jars, err := filepath.Glob(filepath.Join(dir, jvm.LibDir, "*"+machine+"*.jar"))
	if err != nil || len(jars) != 1 {
		return errors.Join(err, fmt.Errorf("%d jars fetched for this machine, expected one", len(jars)))
	}
	jar, err := zip.OpenReader(jars[0])
	if err != nil {
		return err
	}
	defer jar.Close()
	at := slices.IndexFunc(jar.File, func(f *zip.File) bool { return strings.HasSuffix(f.Name, ".txz") })
	if at < 0 {
		return fmt.Errorf("%s has no archive of programs", filepath.Base(jars[0]))
	}
	in, err := jar.File[at].Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if err := untar(in, filepath.Join(dir, homeDir)); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(jars[0]), err)
	}
	return nil
}

// untar unpacks a tree of files and of links to names beside them, which every user may read.
func untar(packed io.Reader, dir string) error {
	plain, err := xz.NewReader(packed)
	if err != nil {
		return err
	}
	for in := tar.NewReader(plain); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := untarOne(in, h, dir); err != nil {
			return err
		}
	}
}

func untarOne(in io.Reader, h *tar.Header, dir string) error {
	to := filepath.Join(dir, h.Name)
	if !filepath.IsLocal(h.Name) {
		return fmt.Errorf("%.80q leads out of it", h.Name)
	}
	if h.Typeflag == tar.TypeDir {
		return os.MkdirAll(to, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeSymlink:
		if h.Linkname != filepath.Base(h.Linkname) || h.Linkname == ".." {
			return fmt.Errorf("%.80q leads out of its directory", h.Name)
		}
		return os.Symlink(h.Linkname, to)
	case tar.TypeReg:
		mode := fs.FileMode(0o644)
		if h.Mode&0o111 != 0 {
			mode = 0o755
		}
		out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, out.Close())
	}
	return fmt.Errorf("%.80q is neither a file nor a link", h.Name)
}
