package embedded

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
)

// options are the arguments of the server's process.
type options struct {
	listen  string
	body    int
	tls     bool // with the files of engine.SelfSign in the working directory
	service time.Duration
	servers int
	yield   float64
	hold    string
	seed    uint64
}

// Main is the server's process: it serves until SIGTERM and returns the exit code. args are those after the verb.
func Main(args []string, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err == nil {
		err = o.serve(stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "plimsoll %s: %v\n", Verb, err)
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet(Verb, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "HOST:PORT")
	f.IntVar(&o.body, "body", 128, "bytes of the body of /")
	f.BoolVar(&o.tls, "tls", false, "speak TLS")
	f.DurationVar(&o.service, "service", 0, "mean service time")
	f.IntVar(&o.servers, "servers", 1, "requests served at once")
	f.Float64Var(&o.yield, "yield", 0, "share of a core that a second thread adds")
	f.StringVar(&o.hold, "hold", byTimer, "kind of service time: timer or cpu")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the service times")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.body < 0 || o.servers < 1 || o.service < 0 {
		return o, errors.New("body and service time must not be negative, and servers at least 1")
	}
	if !(o.yield >= 0 && o.yield <= 1) {
		return o, errors.New("the share of a second thread is not within 0 and 1")
	}
	if o.hold != byTimer && o.hold != byCPU {
		return o, fmt.Errorf("-hold %q is neither %s nor %s", o.hold, byTimer, byCPU)
	}
	return o, nil
}

func (o options) serve(stderr io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM, unix.SIGINT)
	defer stop()
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	handler, leave, err := o.handler()
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer leave()
	server := &http.Server{Handler: handler, ErrorLog: log.New(stderr, "", 0)}
	if o.tls {
		// No other engine here speaks HTTP/2.
		server.Protocols = new(http.Protocols)
		server.Protocols.SetHTTP1(true)
	}
	context.AfterFunc(ctx, func() { server.Close() })
	if o.tls {
		err = server.ServeTLS(l, engine.CertFile, engine.KeyFile)
	} else {
		err = server.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// handler returns the handler, and leave, which ends everything that it started.
func (o options) handler() (h http.Handler, leave func(), err error) {
	hold, leave := func() error { return nil }, func() {}
	switch {
	case o.service > 0 && o.yield > 0:
		c, stop, err := newCrowd(newThreaded(o.service, o.servers, o.yield, o.seed))
		if err != nil {
			return nil, nil, err
		}
		hold, leave = c.hold, func() { _ = stop() } // a closed timer holds nothing
	case o.service > 0 && o.hold == byCPU:
		hold = newBurner(o.service, o.servers, o.seed).hold
	case o.service > 0:
		hold = newDelay(newQueue(o.service, o.servers, o.seed)).hold
	}
	mux := http.NewServeMux()
	mux.Handle("/hello", answer(hold, []byte(engine.Hello)))
	mux.Handle("/{$}", answer(hold, engine.Body(o.body)))
	return mux, leave, nil
}

func answer(hold func() error, body []byte) http.Handler {
	length := strconv.Itoa(len(body))
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := hold(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", length)
		_, _ = w.Write(body) // an error: the client has gone
	})
}

// burner serves requests by real work: each takes a CPU for its service time, so that CPU use shows how full the
// server is. Requests queue for one of its servers, first come first served.
type burner struct {
	mean time.Duration
	free chan struct{} // holds one token for each free server

	mu   sync.Mutex
	rand *rand.Rand
}

func newBurner(mean time.Duration, servers int, seed uint64) *burner {
	b := &burner{mean: mean, free: make(chan struct{}, servers), rand: services(seed)}
	for range servers {
		b.free <- struct{}{}
	}
	return b
}

func (b *burner) hold() error {
	b.mu.Lock()
	work := time.Duration(b.rand.ExpFloat64() * float64(b.mean))
	b.mu.Unlock()
	<-b.free
	defer func() { b.free <- struct{}{} }()
	return burn(work)
}

// burn returns once this thread has had so much CPU time, however long it was preempted.
func burn(work time.Duration) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begun, err := threadTime()
	if err != nil {
		return err
	}
	for {
		now, err := threadTime()
		if err != nil || now-begun >= work {
			return err
		}
	}
}

func threadTime() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, fmt.Errorf("CPU time of a thread: %w", err)
	}
	return time.Duration(t.Nano()), nil
}
