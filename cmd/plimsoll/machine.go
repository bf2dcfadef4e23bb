package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"plimsoll/internal/machine/host/cloud"
	"plimsoll/internal/record"
)

// metadataVariable names the variable with the address of a substitute for the cloud's metadata service.
const metadataVariable = "PLIMSOLL_METADATA"

func (a *app) machineCommand() *cobra.Command {
	var asJSON, askCloud bool
	var noise noiseOptions
	cmd := &cobra.Command{
		Use: "machine",
		Example: `  plimsoll machine
  plimsoll machine --facts
  plimsoll machine --facts --json`,
		Short: "describe this machine, its noise, and the changes it can detect",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noise.check(cmd); err != nil {
				return err
			}
			m, err := a.thisMachine(cmd.Context(), askCloud)
			if err != nil {
				return err
			}
			return a.describe(cmd.Context(), noise, m, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&askCloud, "cloud-metadata", false,
		"query the cloud's metadata service for instance type, region and zone; off by default")
	noise.addTo(cmd)
	return cmd
}

// thisMachine describes the machine; if the cloud's metadata service does not answer, its facts are unknown.
func (a *app) thisMachine(ctx context.Context, askCloud bool) (record.Machine, error) {
	m, err := a.agent.Describe(ctx)
	if err != nil || !askCloud {
		return m, err
	}
	m.Cloud, err = cloud.Metadata(ctx, cmp.Or(a.env(metadataVariable), cloud.MetadataBase), m.Cloud)
	if err != nil {
		m.Unknown = append(m.Unknown, err.Error())
	}
	return m, nil
}
