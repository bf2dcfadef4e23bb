// Command known is a web server of known capacity, which load lines are tried on: some servers, one queue, first come
// first served. With exponential times it is M/M/c, whose latencies follow from a formula (internal/selftest/queue).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"time"

	"plimsoll/internal/selftest/queue"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "known:", err)
		os.Exit(2)
	}
}

// run serves until the standard input ends, or prints the load at which 99% of the requests take no longer than -limit.
func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("known", flag.ContinueOnError)
	address := flags.String("address", "127.0.0.1:0", "where to listen")
	servers := flags.Int("servers", 2, "requests served at once")
	mean := flags.Duration("mean", 5*time.Millisecond, "mean time of service")
	times := flags.String("times", "exponential", "exponential or fixed")
	hold := flags.String("hold", "timer", "timer: held by the kernel's timers; cpu: burns CPU time")
	limit := flags.Duration("limit", 0, "print the requests/s at which p99 is this, and end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *servers < 1 || *mean <= 0 || *times != "exponential" && *times != "fixed" ||
		*hold != "timer" && *hold != "cpu" {
		return errors.New("give -servers of at least 1, a -mean over 0, -times exponential|fixed, -hold timer|cpu")
	}
	if *limit > 0 {
		if *times != "exponential" {
			return errors.New("only exponential times have a known line")
		}
		line := queue.LineAt(queue.Several{Rate: 1 / mean.Seconds(), Servers: *servers}, .99, limit.Seconds())
		_, err := fmt.Fprintf(out, "%.4g\n", line)
		return err
	}
	draw := func() time.Duration { return *mean }
	if *times == "exponential" {
		draw = func() time.Duration { return time.Duration(rand.ExpFloat64() * float64(*mean)) }
	}
	l, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler(newHolder(*hold, *servers), draw), ReadHeaderTimeout: time.Minute}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = server.Shutdown(context.Background())
	}()
	if _, err := fmt.Fprintf(out, "listening http://%s/\n", l.Addr()); err != nil {
		return err
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func handler(serve holder, draw func() time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		serve(draw())
		_, _ = io.WriteString(w, "ok")
	})
}
