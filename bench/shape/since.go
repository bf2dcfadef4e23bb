package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
)

// measureCommit measures the tree as it was at a commit, in a temporary folder that it removes.
func measureCommit(ctx context.Context, dir, commit string) (f *figures, err error) {
	if strings.HasPrefix(commit, "-") {
		return nil, errors.New("that is no commit")
	}
	archive := exec.CommandContext(ctx, "git", "archive", "--format=tar", commit)
	archive.Dir = dir
	text, err := output(archive)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "shape-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := unpack(text, temp); err != nil {
		return nil, err
	}
	return measure(ctx, temp)
}

// unpack writes the Go files of an archive, and those that state the modules.
func unpack(archive []byte, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		base := path.Base(h.Name)
		if h.Typeflag != tar.TypeReg || path.Ext(base) != ".go" && base != "go.mod" && base != "go.sum" {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := root.MkdirAll(path.Dir(h.Name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(h.Name, text, 0o644); err != nil {
			return err
		}
	}
}
