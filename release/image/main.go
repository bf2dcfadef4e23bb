// Image writes a container image of static programs as an OCI layout in a tar file, which ctr image import, podman load
// and skopeo read. The image has the program and its licences: no shell, and no list of users.
//
//	image NAME:TAG EPOCH OUT LICENSE NOTICES ARCH=BINARY...
//
// EPOCH, in seconds, is the date of everything in it, so that equal programs make equal images.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	if len(os.Args) < 7 {
		fmt.Fprintln(os.Stderr, "usage: image NAME:TAG EPOCH OUT LICENSE NOTICES ARCH=BINARY...")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4:6], os.Args[6:]); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func write(name, epoch, out string, licences, programs []string) error {
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("EPOCH: %w", err)
	}
	at := time.Unix(seconds, 0).UTC()
	_, tag, tagged := strings.Cut(name, ":")
	if !tagged {
		return fmt.Errorf("%s has no tag", name)
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range programs {
		arch, path, ok := strings.Cut(p, "=")
		if !ok {
			return fmt.Errorf("%s is not ARCH=BINARY", p)
		}
		image, err := imageOf(arch, append([]string{path}, licences...), tag, at)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		index = mutate.AppendManifests(index,
			mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
	}
	return asTar(name, tag, index, out, at)
}

// imageOf returns the image of one architecture, of a program and its licences.
func imageOf(arch string, paths []string, version string, at time.Time) (v1.Image, error) {
	files, err := filesOf(paths, at)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil }
	layer, err := tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image, err := mutate.Append(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1),
		types.OCIConfigJSON),
		mutate.Addendum{Layer: layer, MediaType: types.OCILayer,
			History: v1.History{Created: v1.Time{Time: at}, CreatedBy: "plimsoll"}})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, config(image, arch, version, at))
}

func config(image v1.Image, arch, version string, at time.Time) *v1.ConfigFile {
	c, err := image.ConfigFile()
	if err != nil {
		c = &v1.ConfigFile{}
	}
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Created = "linux", arch, v1.Time{Time: at}
	// Nobody's, as in other images without users: a number of its own, so that what leaves the container is not root on
	// its host.
	const nobody = "65532:65532"
	const about = "org.opencontainers.image."
	c.Config = v1.Config{
		User: nobody, Entrypoint: []string{"/usr/bin/plimsoll"}, WorkingDir: "/work", Env: []string{"PATH=/usr/bin",
			"HOME=/work"},
		Labels: map[string]string{about + "title": "plimsoll", about + "version": version, about + "licenses": "Apache-2.0"},
	}
	return c
}

// filesOf returns the files of an image as a tar stream: the program, its licences, a place for temporary files, and
// one for sessions.
func filesOf(paths []string, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	const doc = "usr/share/doc/plimsoll/"
	for _, d := range []struct {
		name string
		mode int64
	}{{"tmp/", 0o1777}, {"usr/", 0o755}, {"usr/bin/", 0o755}, {"usr/share/", 0o755}, {"usr/share/doc/", 0o755},
		{doc, 0o755}, {"work/", 0o1777}} {
		if err := add(w, d.name, d.mode, nil, at); err != nil {
			return nil, err
		}
	}
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, mode := doc+filepath.Base(path), int64(0o644)
		if i == 0 {
			name, mode = "usr/bin/plimsoll", 0o755
		}
		if err := add(w, name, mode, text, at); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}

// add adds a file, or a directory if its name ends in a slash.
func add(w *tar.Writer, name string, mode int64, text []byte, at time.Time) error {
	h := &tar.Header{Name: name, Mode: mode, Size: int64(len(text)), ModTime: at, Typeflag: tar.TypeReg}
	if strings.HasSuffix(name, "/") {
		h.Typeflag = tar.TypeDir
	}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}

// asTar writes an index as an OCI layout in a tar file.
func asTar(name, tag string, index v1.ImageIndex, out string, at time.Time) (err error) {
	dir, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	to, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	names := map[string]string{"io.containerd.image.name": "docker.io/library/" + name,
		"org.opencontainers.image.ref.name": tag}
	if err := to.AppendIndex(index, layout.WithAnnotations(names)); err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := tar.NewWriter(f)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err1 := filepath.Rel(dir, path)
		text, err2 := os.ReadFile(path)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		return add(w, name, 0o644, text, at)
	})
	return errors.Join(err, w.Close())
}
