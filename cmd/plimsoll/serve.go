package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/build"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/base/xdg"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/present/render"
	"plimsoll/internal/present/site"
)

// defaultAddr is the default address: reachable from this machine only.
const defaultAddr = "127.0.0.1:7400"

func (a *app) serveCommand() *cobra.Command {
	var o reportOptions
	var door site.Options
	addr := defaultAddr
	cmd := &cobra.Command{
		Use: "serve [DIR]",
		Example: `  plimsoll serve
  plimsoll serve results
  plimsoll serve results --addr 127.0.0.1:8080`,
		Short:       "show the sessions of a directory in a browser",
		Long:        "Serves a directory's sessions to a browser: the report of each, or of several together.",
		Annotations: map[string]string{manual.GroupsKey: reportGroups},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("serve takes one directory, got %d\nhint: plimsoll serve DIR", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.demand.check(cmd.Flags()); err != nil {
				return err
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return a.serve(cmd.Context(), dir, addr, door, o)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", addr, "listen at this address; port 0 chooses a free one; `IP:PORT`")
	cmd.Flags().StringArrayVar(&door.HostNames, "host-name", nil,
		"another `NAME` of the server in URLs, as in DNS or of a proxy; repeatable")
	cmd.Flags().BoolVar(&door.NoToken, "no-token", false,
		"admit every user of this machine without the printed URL's token; for loopback addresses only")
	o.addTo(cmd.Flags())
	return cmd
}

func (a *app) serve(ctx context.Context, dir, addr string, door site.Options, o reportOptions) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("%s is not a directory\nhint: plimsoll serve DIR, with DIR containing session files", dir)
	}
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		meant := defaultAddr
		if port, err := strconv.ParseUint(strings.TrimPrefix(addr, ":"), 10, 16); err == nil {
			meant = netip.AddrPortFrom(netip.MustParseAddrPort(defaultAddr).Addr(), uint16(port)).String()
		}
		return usagef("--addr %s: %v\nhint: --addr %s", addr, err, meant)
	}
	told := newAsides(ctx, a.stderr)
	door.Dir, door.At, door.Make = dir, at, a.analyses(o, told)
	door.KeepIn(xdg.Cache().Dir(a.env), build.Of(version).Version)
	return site.Serve(ctx, door, told, func(url string) {
		fmt.Fprintf(a.said, "serving %s at %s\n", dir, url)
		if !at.Addr().IsLoopback() {
			fmt.Fprintf(a.stderr, "plimsoll: warning: traffic is not encrypted, and the token is in it\n")
		}
	})
}

// sitePage returns the reports of a site. A request for one that cannot be made is wrong usage.
func (a *app) sitePage(o reportOptions, told *asides) site.Page {
	return func(ctx context.Context, w io.Writer, open func(string) (*os.File, error), paths []string) error {
		inside := *a
		inside.open, inside.problems, inside.stderr = open, told.of, told
		p, err := inside.reportPage(ctx, o, paths)
		if is[noTrialError](err) {
			err = usage.Wrap(err)
		}
		if err != nil {
			return err
		}
		return render.Report(w, p)
	}
}
