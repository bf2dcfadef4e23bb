package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/engine/all"
	"plimsoll/internal/machine/hostlist"
	"plimsoll/internal/machine/hosts"
	"plimsoll/internal/run/carry"
	"plimsoll/internal/run/setup"
)

// setupOptions are the flags of setup.
type setupOptions struct {
	dry, sudo          bool
	on                 []string
	hostList, binaries string
}

func (a *app) setupCommand() *cobra.Command {
	var o setupOptions
	cmd := &cobra.Command{
		Use: "setup ENGINE...",
		Example: `  plimsoll setup kafka kafka@3.9.1 rdkafka
  plimsoll setup kafka@2.6.1 jdk@11.0.13
  plimsoll setup postgres --on 'ssh m7g' --on 'ssh m7i' --sudo
  plimsoll setup kafka --hosts eight.hosts`,
		Short: "install engines by the OS package manager, Maven or pip",
		Long: `Sets up the engines that workloads need, through the operating system's package manager (apt-get,
dnf), Maven or pip; ENGINE@RELEASE is another release than the default one, beside it (kafka@2.6.1,
jdk@11.0.13, postgres@13.1).
Downloads for Plimsoll only go to the cache directory (XDG_CACHE_HOME). It prints
its steps first, and does nothing for an installed engine. plimsoll list shows all engines.

With --on or --hosts it sets up these hosts, all at once, with a copy of this program, verified by
its SHA-256. It prints a row for each host. The exit code is 1 if one failed.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("setup needs an engine\nhint: there are %s; plimsoll list shows which are installed",
					strings.Join(all.Names(), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.setup(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.dry, "dry-run", false, "print the steps only")
	f.BoolVar(&o.sudo, "sudo", false, "run the steps that need root by sudo -n, unless root runs them")
	f.StringArrayVar(&o.on, "on", nil, "set up the host that this command reaches; `[NAME=]COMMAND`, repeatable")
	f.StringVar(&o.hostList, "hosts", "",
		"set up the hosts in this `FILE`, as plimsoll hosts prints them; - is standard input")
	f.StringVar(&o.binaries, flagBinaries, "",
		"with --on or --hosts: directory with a release's plimsoll-linux-amd64 and plimsoll-linux-arm64; `DIR` (default "+
			"this program's)")
	return cmd
}

func (a *app) setup(ctx context.Context, o setupOptions, names []string) (err error) {
	engines, err := setup.Engines(names)
	if err != nil {
		return err
	}
	var listed []hostlist.Host
	switch {
	case o.hostList != "" && len(o.on) > 0:
		return usagef("--hosts and --on both say where to set up\nhint: add a line NAME TYPE ZONE COMMAND to the list")
	case o.hostList != "":
		if listed, err = hosts.Read(ctx, o.hostList, a.stdin); err != nil {
			return err
		}
	case len(o.on) == 0 && o.binaries != "":
		return usagef("--binaries goes with --on or --hosts: nothing else uses it")
	case len(o.on) == 0:
		return setup.Here{Stdout: a.said, Stderr: a.stderr, Dry: o.dry, Sudo: o.sudo}.All(ctx, engines)
	}
	targets, err := setup.Targets(o.on, listed)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program, which is to be carried: %w", err)
	}
	there := setup.There{From: carry.Of(self, o.binaries), Stdout: a.said, Stderr: a.stderr, Dry: o.dry, Sudo: o.sudo}
	return there.All(ctx, targets, names)
}
