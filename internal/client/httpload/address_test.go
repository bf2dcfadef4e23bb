package httpload

import (
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAddresses: IPv6 and Unix sockets; every connection is used, whatever the rate.
func TestAddresses(t *testing.T) {
	var mu sync.Mutex
	peers := map[string]bool{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		peers[r.RemoteAddr] = true // of a Unix socket "@", all of them
		mu.Unlock()
		if r.Method != "HEAD" || r.Host == "" {
			w.WriteHeader(400)
		}
		w.Header().Set("Content-Length", "12345")
	})
	path, six := filepath.Join(t.TempDir(), "socket"), false
	for network, address := range map[string]string{"tcp6": "[::1]:0", "unix": path} {
		l, err := net.Listen(network, address)
		if err != nil && network == "tcp6" {
			t.Logf("no IPv6 here: %v", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{Handler: handler}
		defer s.Close()
		go s.Serve(l)
		c := Config{URLs: []string{"http://a-name.test/"}, Method: "HEAD", Socket: path}
		if network == "tcp6" {
			six = true
			c = Config{URLs: []string{"http://" + l.Addr().String()}, Method: "HEAD"}
		}
		got := ask(t, c, rate(200), 8, 200*time.Millisecond)
		if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || got.Bytes != 0 {
			t.Errorf("%s: %d operations, errors %v (%v), %v", network, got.Ops, got.Errors, got.stats.First, got.err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if n := len(peers); six && n != 9 {
		t.Errorf("%d of 8 connections were used", n-1)
	}
}

// TestManyConnections: more than the queue of a listener holds, at once.
func TestManyConnections(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrUnix{Name: path})
	}
	if err == nil {
		err = unix.Listen(fd, 4)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), path)
	defer file.Close()
	l, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	defer s.Close()
	time.AfterFunc(50*time.Millisecond, func() { s.Serve(l) })
	got := ask(t, Config{URLs: []string{"http://x/"}, Socket: path}, clients(300), 300, 200*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops < 300 {
		t.Errorf("%d operations, errors %v (%v), %v", got.Ops, got.Errors, got.stats.First, got.err)
	}
}

// TestWeightedRequests arrive as often as they weigh.
func TestWeightedRequests(t *testing.T) {
	var a, b atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a" {
			a.Add(1)
			return
		}
		b.Add(1)
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL + "/a", s.URL + "/b"}, Weights: []int{1, 4}, Seed: 9}, clients(2), 2,
		300*time.Millisecond)
	if share := float64(b.Load()) / float64(a.Load()+b.Load()); got.err != nil || got.Ops < 200 ||
		math.Abs(share-.8) > .1 {
		t.Errorf("%d operations, a share of %.3f, %v", got.Ops, share, got.err)
	}
}
