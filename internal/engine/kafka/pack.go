package kafka

import (
	"archive/zip"
	"os"
	"path/filepath"

	"plimsoll/internal/engine/jvm"
)

// packed is the jar of our own class: class archives support only jars.
const packed = "plimsoll-broker.jar"

// pack puts the compiled classes into a jar beside the others.
func pack(dir string) error {
	classes := filepath.Join(dir, jvm.ClassesDir)
	f, err := os.Create(filepath.Join(dir, jvm.LibDir, packed))
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(classes)); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.RemoveAll(classes)
}
