// Package manual writes the commands' help as manual pages.
package manual

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// About is the same on all pages.
type About struct {
	Version string
	Date    time.Time
	Ends    string // further sections of the program's own page, in roff
}

// Date returns the date of an epoch in seconds, by the convention of reproducible builds; without one, today.
func Date(epoch string) time.Time {
	if s, err := strconv.ParseInt(epoch, 10, 64); err == nil {
		return time.Unix(s, 0).UTC()
	}
	return time.Now().UTC()
}

// Write writes a page for each command that is not hidden into a directory, and returns the files.
func Write(root *cobra.Command, dir string, a About) ([]string, error) {
	root.InitDefaultHelpCmd()
	var out []string
	for _, cmd := range visible(root) {
		path := filepath.Join(dir, nameOf(cmd)+".1")
		if err := os.WriteFile(path, []byte(page(cmd, a)), 0o644); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}

// nameOf returns the name of a command's page, without its section.
func nameOf(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// visible returns a command and those below it that are not hidden.
func visible(root *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{root}
	for i := 0; i < len(out); i++ {
		for _, c := range out[i].Commands() {
			if !c.Hidden {
				out = append(out, c)
			}
		}
	}
	return out
}
