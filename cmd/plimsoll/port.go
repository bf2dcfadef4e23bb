package main

import (
	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/port/gather"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record/block"
)

func (a *app) portCommand() *cobra.Command {
	var format string
	var asJSON bool
	var depth block.Depth
	cmd := &cobra.Command{
		Use: "port DIR|ARCHIVE|IMAGE|LIST",
		Example: `  plimsoll port .
  plimsoll port image.tar --format markdown
  plimsoll port requirements.txt --json`,
		Short: "find code and packages that don't build or run on arm64",
		Long: `Finds the parts of a folder, an archive (jar, wheel, gem, crate, tar), an image (docker save) or a list of
packages that don't build or run on arm64, run slowly there, or need a check. Each has its line and a remedy. It runs
nothing and uses no network. docs/port.md lists the checks. The exit code is 0, also with findings.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("port takes one folder, archive, image or list, got %d\nhint: plimsoll port DIR", len(args))
			}
			format, err := render.PortFormat(format, asJSON)
			if err != nil {
				return err
			}
			r, err := gather.Report(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return render.Port(a.stdout, format, a.style(), r, depth, a.agent.Version)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "`FORMAT`: text, json, markdown or sarif (default text)")
	f.BoolVar(&asJSON, "json", false, "print one JSON document, as --format json")
	f.BoolVarP(&depth.Verbose, flagVerbose, "v", false, "show also the code for x86 that has its counterpart")
	f.BoolVar(&depth.All, flagAll, false, "show all findings, packages that are not judged, and files that were left out")
	return cmd
}
