package main

import (
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/build"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/record/figure"
)

// manEnds are the exit codes and the environment.
//
//go:embed plimsoll.roff
var manEnds string

// manCommand returns the hidden verb by which a release makes its manual pages.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "write a manual page for each command",
		Hidden: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("man needs one directory, got %d\nhint: plimsoll man ~/.local/share/man/man1", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about := manual.About{Version: build.Of(version).Version, Date: manual.Date(a.env("SOURCE_DATE_EPOCH")),
				Ends: manEnds}
			pages, err := manual.Write(cmd.Root(), args[0], about)
			if err != nil {
				return fmt.Errorf("writing the manual: %w", err)
			}
			_, err = fmt.Fprintf(a.said, "%s in %s\n", figure.Count(len(pages), "page"), args[0])
			return err
		},
	}
}
