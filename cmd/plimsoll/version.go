package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/build"
	"plimsoll/internal/present/media/json"
)

// version is set by the release's linker flags.
var version = ""

const versionVerb = "version"

// printVersion prints the version as the verb does, and returns the exit code.
func printVersion(stdout *checkedWriter, stderr io.Writer) int {
	_, _ = io.WriteString(stdout, build.Of(version).String())
	if err := stdout.failure(); err != nil {
		return (&app{stderr: stderr}).exit(fmt.Errorf("standard output: %w", err))
	}
	return exitDone
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: versionVerb,
		Example: `  plimsoll version
  plimsoll version --json
  plimsoll --version`,
		Short: "print version, commit, Go version and platform",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			info := build.Of(version)
			if asJSON {
				return json.Write(a.stdout, info)
			}
			_, err := io.WriteString(a.stdout, info.String())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
