package main

import (
	"io"

	"github.com/spf13/cobra"

	"plimsoll/internal/build"
	"plimsoll/internal/media/json"
)

// version is set by the release's linker flags.
var version = ""

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version",
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
