package netload

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// Verb is this binary's hidden verb for the peer's process.
const Verb = "serve-network"

// KeyVariable is the environment variable with the peer's key, which no list of processes shows.
const KeyVariable = "PLIMSOLL_NETWORK_KEY"

// idleThreads are threads without a connection, and threads of probes that end.
const idleThreads = 6

// memoryLimit is where the garbage collector, which is off, begins to work.
const memoryLimit = 4 << 30

// Main is the peer's process: it serves until SIGTERM or SIGINT, and returns its exit code.
func Main(args []string, stderr io.Writer) int {
	set := flag.NewFlagSet(Verb, flag.ContinueOnError)
	set.SetOutput(stderr)
	listen := set.String("listen", "", "address and port")
	most := set.Int("connections", 1, "most connections")
	keys := set.String("tls", "", "directory of the certificate and its key; empty: no TLS")
	if set.Parse(args) != nil {
		return 2
	}
	p := Peer{Key: []byte(os.Getenv(KeyVariable)), Most: *most}
	if err := p.main(*listen, *keys); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", Verb, err)
		return 1
	}
	return 0
}

func (p *Peer) main(listen, keys string) error {
	if len(p.Key) == 0 {
		return errors.New(KeyVariable + " is not set\nhint: plimsoll run network starts the peer")
	}
	if keys != "" {
		pair, err := tls.LoadX509KeyPair(filepath.Join(keys, "cert.pem"), filepath.Join(keys, "key.pem"))
		if err != nil {
			return err
		}
		p.Secure = &pair
	}
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM, unix.SIGINT)
	defer stop()
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { l.Close() })
	// A connection's thread waits in the kernel without Go's knowing.
	runtime.GOMAXPROCS(p.Most + idleThreads)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	if err := p.Serve(ctx, l); ctx.Err() == nil {
		return err
	}
	return nil
}
