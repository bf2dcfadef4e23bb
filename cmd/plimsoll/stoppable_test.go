package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"plimsoll/internal/run/replace"
)

// halfWritten is a command that a signal ends in the middle of writing the file `out`.
func halfWritten() {
	_ = replace.File("out", 0o644, func(w io.Writer) error {
		_, _ = io.WriteString(w, "the first half")
		_ = unix.Kill(os.Getpid(), unix.SIGTERM)
		select {}
	})
}
