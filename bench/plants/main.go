// Command plants is a small web service for scripts/planted: it has the arguments of the embedded server, and answers
// each request with an order as JSON. The parameter plant of a request's URL makes one step of it wasteful.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"
)

// The plants, by their names in the URL.
const (
	plantQuadratic = "quadratic" // duplicates are looked for with nested loops
	plantRegexp    = "regexp"    // the patterns of the paths are compiled for each request
	plantJSON      = "json"      // each item of the answer is copied by encoding and decoding it
	plantProc      = "proc"      // /proc is read for each request
	plantHosts     = "hosts"     // the files of a resolver are read for each request
	plantWrites    = "writes"    // the log is written without a buffer
	plantUDP       = "udp"       // the log is sent to a daemon as well
)

const (
	answered   = 60 // items
	orders     = 500
	statusFile = "/proc/self/status"
	logFile    = "access.log"
	words      = 12 // of a line of the log
)

// item is a line of an order.
type item struct {
	ID    int     `json:"id"`
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

// service holds what a careful server keeps between requests.
type service struct {
	items  []item
	routes []*regexp.Regexp
	status []byte
	hosts  []byte
	daemon net.Conn

	mu     sync.Mutex
	file   *os.File
	buffer *bufio.Writer
}

func main() {
	var listen string
	f := flag.NewFlagSet("plants", flag.ContinueOnError)
	f.StringVar(&listen, "listen", "127.0.0.1:0", "HOST:PORT")
	for _, name := range []string{"body", "service", "servers", "yield", "hold", "seed"} { // of the embedded server
		f.String(name, "", "")
	}
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "serve-http" {
		args = args[1:]
	}
	err := f.Parse(args)
	if err == nil {
		err = serve(listen)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func serve(listen string) error {
	s, err := newService()
	if err != nil {
		return err
	}
	server := http.Server{Addr: listen, Handler: s, ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}

func newService() (*service, error) {
	s := &service{routes: routes()}
	for i := range orders {
		s.items = append(s.items, item{i * 7919, fmt.Sprintf("order-%d", 1000+i), float64(i) / 3})
	}
	var errs [4]error
	s.status, errs[0] = os.ReadFile(statusFile)
	s.hosts, errs[1] = resolverFiles()
	s.file, errs[2] = os.Create(logFile)
	s.daemon, errs[3] = daemon()
	s.buffer = bufio.NewWriterSize(s.file, 64<<10)
	return s, errors.Join(errs[:]...)
}

// routes compiles the patterns of the service's paths.
func routes() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, pattern := range []string{
		`^/orders/(\d{2,6})(?:/lines/(\d+))?$`, `^/users/([a-z]{2,8})-(\d{2,6})$`,
		`^/(?:img|css|js)/[\w./-]+\.(?:png|css|js)$`, `^/(.*)$`,
	} {
		out = append(out, regexp.MustCompile(pattern))
	}
	return out
}

// resolverFiles reads the files that a resolver without a cache reads for each name.
func resolverFiles() ([]byte, error) {
	var all []byte
	for _, file := range []string{"/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/hosts"} {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}

// daemon returns a connection to a daemon on this host that drops all messages: its socket is never read.
func daemon() (net.Conn, error) {
	at, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return net.Dial("udp", at.LocalAddr().String())
}

// ServeHTTP answers with some items of an order.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	plant := r.URL.Query().Get("plant")
	all := s.routes
	if plant == plantRegexp {
		all = routes()
	}
	status, hosts := s.status, s.hosts
	if plant == plantProc {
		status, _ = os.ReadFile(statusFile)
	}
	if plant == plantHosts {
		hosts, _ = resolverFiles()
	}
	routed := slices.ContainsFunc(all, func(p *regexp.Regexp) bool { return p.MatchString(r.URL.Path) })
	if hasDuplicates(s.items, plant == plantQuadratic) || !routed || !bytes.Contains(status, []byte("Pid:")) ||
		!bytes.Contains(hosts, []byte("localhost")) {
		http.Error(w, "the order is broken", http.StatusInternalServerError)
		return
	}
	answer := s.items[:answered]
	if plant == plantJSON {
		answer = slices.Clone(answer)
		for i := range answer {
			answer[i] = copied(answer[i])
		}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := s.log(r.Method, plant); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(body)
}

// hasDuplicates reports whether two items have one ID. It is not inlined: perf does not see inlined functions of Go.
//
//go:noinline
func hasDuplicates(items []item, nested bool) bool {
	if nested {
		for i := range items {
			for j := range i {
				if items[i].ID == items[j].ID {
					return true
				}
			}
		}
		return false
	}
	last := -1
	for _, one := range items { // in the order of their IDs
		if one.ID == last {
			return true
		}
		last = one.ID
	}
	return false
}

// copied copies an item by encoding and decoding it.
//
//go:noinline
func copied(of item) (out item) {
	text, err := json.Marshal(of)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return of
	}
	return out
}

// log writes a line of several words.
func (s *service) log(method, plant string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range words {
		var err error
		if plant == plantWrites {
			_, err = s.file.WriteString(method + " ")
		} else {
			_, err = s.buffer.WriteString(method + " ")
		}
		if err != nil {
			return err
		}
	}
	if plant == plantUDP {
		for range words {
			_, _ = s.daemon.Write([]byte(method)) // its buffer may be full
		}
	}
	return nil
}
