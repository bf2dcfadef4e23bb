package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// defaultAddr is the default address: reachable from this machine only.
const defaultAddr = "127.0.0.1:7400"

func (a *app) serveCommand() *cobra.Command {
	var o reportOptions
	addr := defaultAddr
	cmd := &cobra.Command{
		Use: "serve [DIR]",
		Example: `  plimsoll serve
  plimsoll serve results
  plimsoll serve results --addr 127.0.0.1:8080`,
		Short: "serve the sessions of a directory to a browser: the report of each, or of several together",
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
			return a.serve(cmd.Context(), dir, addr, o)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", addr, "listen address, IP:PORT; port 0 chooses a free one. Anybody who can reach it can read the sessions")
	o.addTo(cmd.Flags())
	return cmd
}

// goodbye bounds in-flight requests on shutdown.
const goodbye = 5 * time.Second

func (a *app) serve(ctx context.Context, dir, addr string, o reportOptions) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("%s is not a directory\nhint: plimsoll serve DIR, with DIR containing session files", dir)
	}
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return usagef("--addr %s: %v\nhint: --addr %s", addr, err, defaultAddr)
	}
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return fmt.Errorf("serving: %w\nhint: --addr %s takes a free port", err, netip.AddrPortFrom(at.Addr(), 0))
	}
	server := &http.Server{Handler: &site{app: a, dir: dir, options: o, local: at.Addr().IsLoopback()}, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 10 * time.Minute}
	fmt.Fprintf(a.stdout, "serving %s at http://%s/\n", dir, l.Addr())
	if !at.Addr().IsLoopback() {
		fmt.Fprintf(a.stderr, "plimsoll: warning: anybody who can reach %s can read these sessions\n", l.Addr())
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err = <-ended:
		return fmt.Errorf("serving at %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("serving at %s: %w", l.Addr(), err)
	}
	return server.Close()
}
