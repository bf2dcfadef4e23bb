package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/build"
	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/machine/hostlist"
	"plimsoll/internal/machine/hosts"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
)

func (a *app) hostsCommand() *cobra.Command {
	from := hosts.Source{Stdin: a.stdin}
	var paths []string
	var asJSON, unchecked, carry bool
	cmd := &cobra.Command{
		Use: "hosts FILE|- | --inventory X | --slurm JOB | --pods SELECTOR",
		Example: `  plimsoll hosts --inventory hosts.ini --limit arm > arm.hosts
  plimsoll hosts --slurm 4711 --no-check
  plimsoll hosts --pods app=plimsoll-holder --path /data`,
		Short: "list and check the hosts of an inventory, allocation or cluster",
		Long: `Prints the hosts of an Ansible inventory, of a Slurm allocation, of pods, or of a list: name, type,
zone and the command that reaches each, as run --hosts reads them. Comments below are what each host
answered within 10 s: plimsoll, sudo, perf, its clock, and the file systems of directories. It ends
with exit code 1 if nothing can be measured on one of them.`,
		Args: func(_ *cobra.Command, args []string) error { return from.Take(args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if at := list.Filter(paths, unfit); len(at) > 0 {
				return usagef("--path %q is no absolute path\nhint: --path /data, and again for each other directory", at[0])
			}
			self, _ := os.Executable() // unknown, a host without a command runs what its PATH has
			checks := hosts.Checks{Paths: paths, Self: self, Version: build.Of(version).Version, Carry: carry}
			return a.hosts(cmd.Context(), from, checks, !unchecked, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&from.Inventory, "inventory", "i", nil,
		"Ansible inventory `FILE`, as ansible-inventory -i takes it; repeatable")
	f.StringVarP(&from.Limit, "limit", "l", "", "`PATTERN` of the inventory's hosts and groups")
	f.StringVar(&from.Slurm, "slurm", "", "id of the `JOB` with the allocation")
	f.StringVar(&from.Pods.Selector, "pods", "", "labels of pods, as kubectl get pods -l takes them; `SELECTOR`")
	f.StringVarP(&from.Pods.Namespace, "namespace", "n", "", "`NAMESPACE` of the pods (default kubectl's)")
	f.StringVar(&from.Pods.Context, "context", "", "`CONTEXT` of kubectl's configuration (default the current one)")
	f.StringVarP(&from.Pods.Container, "container", "c", "",
		"`CONTAINER` of the pods to enter (default the pod's default, or its first)")
	f.StringArrayVar(&paths, "path", []string{"/tmp"}, "describe the file system of this `DIR`; repeatable")
	f.BoolVar(&carry, flagCarry, false,
		"for run --deploy: accept hosts without this program if there is one for their architecture")
	f.BoolVar(&unchecked, "no-check", false, "reach no host, print the list only")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// unfit reports whether a path cannot be asked about.
func unfit(path string) bool {
	return !filepath.IsAbs(path) || strings.ContainsFunc(path, unicode.IsControl)
}

func (a *app) hosts(ctx context.Context, from hosts.Source, checks hosts.Checks, check, asJSON bool) error {
	c, err := a.catalogue()
	if err != nil {
		return err
	}
	all, notes, err := from.List(ctx, func(name string) bool { _, err := c.Find(name); return err == nil })
	if err != nil {
		return err
	}
	commands, _, _ := hostlist.Commands(all)
	if err := hostlist.Shown("hosts", commands); err != nil {
		return err
	}
	var checked []hostlist.Checked
	if check {
		checked = checks.Check(ctx, all)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		price(c, checked)
		notes = append(notes, hostlist.Shared(checked)...)
	}
	switch {
	case !asJSON:
		err = render.Hosts(a.stdout, a.style(), all, checked, notes)
	case check:
		err = json.Write(a.stdout, hostlist.Document[hostlist.Checked]{Hosts: checked, Notes: notes})
	default:
		err = json.Write(a.stdout, hostlist.Document[hostlist.Host]{Hosts: all, Notes: notes})
	}
	if err != nil {
		return err
	}
	return hostlist.Unusable(checked)
}

// price adds the prices of hosts whose types the catalogue has.
func price(c *catalog.Catalog, all []hostlist.Checked) {
	for i, h := range all {
		if t, ok := c.Like(h.Type); ok {
			if p, ok := t.Price(""); ok {
				all[i].PerHour, all[i].PriceSource = &p.PerHour, p.Source
			}
		}
	}
}
