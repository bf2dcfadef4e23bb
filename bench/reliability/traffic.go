package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The campaign's own web server, which the program starts in the place of its own (PLIMSOLL_EMBEDDED): it knows what it
// did and when, by its own reading of CLOCK_MONOTONIC, and says so in a file that outlives it.

// The faults of a web server. All of them spoil the run that they come in.
const (
	honest   = "honest"
	absent   = "absent"   // it ends before it answers anything
	dies     = "dies"     // kill -9 of itself in the measured window
	shortens = "shortens" // some answers of the window lack a part of their body
	refuses  = "refuses"  // some answers of the window have status 500
)

// webPlan is what a server is to do.
type webPlan struct {
	dir            string
	fault          string
	start          int           // which start has the fault, from 1
	service        time.Duration // that each request waits for
	warmup, window time.Duration // of the load
	at             float64       // of the window: when the fault comes
}

// places is of how many requests a server keeps the times.
const places = 1 << 17

// log is a server's file: how many requests came, when its fault did, and two times of each request.
type webLog struct {
	count, fault int64
	requests     [places]exchange
}

// exchange is a request: its connection, from 1, and when it came and was answered; 0 if it was not.
type exchange struct{ conn, from, to int64 }

func logName(dir string, start int) string { return filepath.Join(dir, fmt.Sprintf("web-%d", start)) }

// wrapper writes the program that is started as the server, in a directory of its own, and returns its path.
func (p webPlan) wrapper() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(p.dir, "server")
	text := fmt.Sprintf("#!/bin/sh\nexec %q web %q %s %d %v %v %v %v \"$@\"\n", self, p.dir, p.fault, p.start, p.service,
		p.warmup, p.window, p.at)
	return path, errors.Join(os.MkdirAll(p.dir, 0o755), os.WriteFile(path, []byte(text), 0o755))
}

// web is that program: DIR FAULT START SERVICE WARMUP WINDOW AT, and then the arguments of the program's own server.
func web(args []string) error {
	if len(args) < 8 {
		return errors.New("usage: web DIR FAULT START SERVICE WARMUP WINDOW AT serve-http [ARGUMENT]")
	}
	p := webPlan{dir: args[0], fault: args[1]}
	var errs [5]error
	p.start, errs[0] = strconv.Atoi(args[2])
	p.service, errs[1] = time.ParseDuration(args[3])
	p.warmup, errs[2] = time.ParseDuration(args[4])
	p.window, errs[3] = time.ParseDuration(args[5])
	p.at, errs[4] = strconv.ParseFloat(args[6], 64)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	f := flag.NewFlagSet(args[7], flag.ContinueOnError)
	f.SetOutput(io.Discard)
	listen := f.String("listen", "", "")
	for _, name := range []string{"body", "service", "servers", "yield", "hold", "seed"} {
		f.String(name, "", "")
	}
	if err := f.Parse(args[8:]); err != nil {
		return err
	}
	return p.serve(*listen)
}

// serve answers until it is ended.
func (p webPlan) serve(listen string) error {
	start := 1
	f, err := os.OpenFile(logName(p.dir, start), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	for ; errors.Is(err, os.ErrExist); start++ {
		f, err = os.OpenFile(logName(p.dir, start+1), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	}
	if err != nil {
		return err
	}
	size := int(unsafe.Sizeof(webLog{}))
	if err := f.Truncate(int64(size)); err != nil {
		return err
	}
	raw, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	s := &webServer{webPlan: p, log: (*webLog)(unsafe.Pointer(&raw[0]))}
	if start != p.start {
		s.fault = honest
	}
	if s.fault == absent {
		s.log.fault = monotonic()
		return errors.New("it is not there")
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	return (&http.Server{Handler: s, ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, s.conns.Add(1))
	}}).Serve(l)
}

// webServer is one that runs.
type webServer struct {
	webPlan
	log    *webLog
	conns  atomic.Int64
	loaded atomic.Bool
	spoilt atomic.Int64 // answers
}

type connKey struct{}

// hello is the body of each answer, as the program asks its own server for.
const hello = "Hello World!"

// fewSpoilt is how many answers have the fault of a server that answers wrongly now and then: too few to be noticed by
// their share, all the same of a kind that spoils a run.
const fewSpoilt = 40

// ServeHTTP answers.
func (s *webServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i := atomic.AddInt64(&s.log.count, 1) - 1
	conn, _ := r.Context().Value(connKey{}).(int64)
	if i >= places {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	seen := &s.log.requests[i]
	seen.conn, seen.from = conn, monotonic()
	// The request before the load closes its connection, those of the load do not.
	if !r.Close && s.loaded.CompareAndSwap(false, true) && s.fault != honest {
		time.AfterFunc(s.warmup+time.Duration(s.at*float64(s.window)), s.spoil)
	}
	time.Sleep(s.service)
	body := hello
	if atomic.LoadInt64(&s.log.fault) != 0 && s.spoilt.Add(1) <= fewSpoilt {
		switch s.fault {
		case shortens:
			body = hello[:len(hello)-3]
		case refuses:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
	_, _ = io.WriteString(w, body)
	atomic.StoreInt64(&seen.to, monotonic())
}

// spoil begins the fault.
func (s *webServer) spoil() {
	atomic.StoreInt64(&s.log.fault, monotonic())
	if s.fault == dies {
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	}
}

// traffic is what a server saw.
type traffic struct {
	fault int64      // when its fault came; 0: none did
	ready int64      // when the request before the load was answered: it began later
	all   []exchange // of the load, as they came
}

// seen returns the traffic of each start of a server.
func (p webPlan) seen() ([]traffic, error) {
	var out []traffic
	for start := 1; ; start++ {
		raw, err := os.ReadFile(logName(p.dir, start))
		if errors.Is(err, os.ErrNotExist) {
			return out, nil
		}
		if err != nil || len(raw) < 16 {
			return nil, fmt.Errorf("%s: %d bytes: %w", logName(p.dir, start), len(raw), err)
		}
		number := func(at int) int64 { return int64(binary.NativeEndian.Uint64(raw[8*at:])) }
		t := traffic{fault: number(1)}
		for i := range int(min(number(0), places)) {
			e := exchange{number(2 + 3*i), number(3 + 3*i), number(4 + 3*i)}
			t.all = append(t.all, e)
		}
		out = append(out, t.load())
	}
}

// load leaves out the request before the load: it is alone on its connection, and comes first.
func (t traffic) load() traffic {
	if len(t.all) > 0 {
		first := t.all[0]
		t.ready = first.to
		t.all = slices.DeleteFunc(t.all, func(e exchange) bool { return e.conn == first.conn })
	}
	return t
}

// began reports whether a load can have begun at a time: after the request before it, and before its first one came.
func (t traffic) began(at int64) bool {
	return len(t.all) > 0 && at >= t.ready && at <= t.all[0].from
}

// first returns when the first request of the load came; 0: none did.
func (t traffic) first() int64 {
	if len(t.all) == 0 {
		return 0
	}
	return t.all[0].from
}

// within returns how many requests a server had in a time, each by its share of that (one that it never answered counts
// for nothing), and how many were answered in it.
func (t traffic) within(from, to int64) (shares float64, answered int) {
	for _, e := range t.all {
		if e.to == 0 {
			continue
		}
		if e.to >= from && e.to < to {
			answered++
		}
		if common := min(to, e.to) - max(from, e.from); common > 0 {
			shares += float64(common) / float64(max(e.to-e.from, 1))
		}
	}
	return shares, answered
}

// times returns of the requests of a time how long each took here, and how long it was until the next one of the same
// connection: who asks again at once waited longer than the one and shorter than the other. Both are sorted, in
// seconds.
func (t traffic) times(from, to int64) (here, apart []float64) {
	last := map[int64]exchange{}
	for _, e := range t.all {
		if before, ok := last[e.conn]; ok && before.to >= from && before.to < to {
			here = append(here, float64(before.to-before.from)/1e9)
			apart = append(apart, float64(e.from-before.from)/1e9)
		}
		last[e.conn] = e
	}
	slices.Sort(here)
	slices.Sort(apart)
	return here, apart
}
