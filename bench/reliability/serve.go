package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	served  = 100             // sessions of a directory that is served
	readers = 50              // clients at once
	serving = 8 * time.Second // for how long they read
)

// site is a plimsoll serve, and what its clients got.
type site struct {
	t       *trial
	dir     string
	cmd     *exec.Cmd
	text    bytes.Buffer
	address *url.URL
	client  *http.Client
	answers atomic.Int64
	fault   atomic.Pointer[string] // the first answer that must not be
}

// serve has many clients read a directory whose files are changed, cut and removed meanwhile; some of them read slowly, and
// some ask for what is not there.
func serve(ctx context.Context, t *trial) outcome {
	s, err := t.many(ctx)
	if err == nil {
		err = s.start(ctx)
	}
	if err != nil {
		return outcome{broken: text(err)}
	}
	before := s.open()
	ctx, stop := context.WithTimeout(ctx, serving)
	defer stop()
	var all sync.WaitGroup
	for range readers {
		seed := t.random.Uint64()
		all.Go(func() { s.read(ctx, rand.New(rand.NewPCG(seed, 1))) })
	}
	changes := 0
	for names := []string{"remove", "truncate", "halve", "append", "replace", "directory"}; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		path := filepath.Join(s.dir, sessionName(t.random.IntN(served)))
		if meddlings()[names[t.random.IntN(len(names))]](path) != nil {
			_ = os.RemoveAll(path)
			_ = s.copy(path)
		}
		changes++
	}
	all.Wait()
	err = errors.Join(s.quiet(before), s.end())
	if f := s.fault.Load(); f != nil {
		err = errors.Join(err, errors.New(*f))
	}
	return outcome{hit: s.answers.Load() >= readers && changes >= served, broken: text(errors.Join(err, t.deserted()))}
}

func sessionName(i int) string { return fmt.Sprintf("s%d.plimsoll.jsonl", i) }

// many makes the sessions of a site.
func (t *trial) many(ctx context.Context) (*site, error) {
	s := &site{t: t, dir: filepath.Join(t.dir, "served")}
	r, err := t.start(ctx, false)
	if err != nil {
		return nil, err
	}
	if code := r.wait(); code != 0 {
		return nil, fmt.Errorf("exit code %d: %s", code, r.text.String())
	}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		return nil, err
	}
	for i := range served {
		if err := s.copy(filepath.Join(s.dir, sessionName(i))); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// start starts the server.
func (s *site) start(ctx context.Context) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	s.client = &http.Client{Jar: jar, Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: readers}}
	s.cmd = exec.CommandContext(ctx, s.t.program, "serve", s.dir, "--addr", "127.0.0.1:0")
	s.cmd.Env, s.cmd.Stderr = s.t.environ(), &s.text
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return err
	}
	silent := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	line, _ := bufio.NewReader(out).ReadString('\n')
	silent.Stop()
	s.address, err = url.Parse(regexp.MustCompile(`http://\S*`).FindString(line))
	if err == nil {
		err = s.enter()
	}
	if err != nil {
		err = errors.Join(err, s.end())
	}
	return err
}

// enter exchanges the token of the printed URL for a cookie.
func (s *site) enter() error {
	a, err := s.client.Get(s.address.String())
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if s.address.RawQuery = ""; a.StatusCode != http.StatusOK {
		return fmt.Errorf("the printed URL is answered by %s", a.Status)
	}
	return nil
}

func (s *site) copy(to string) error {
	text, err := os.ReadFile(s.t.session)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// read asks for one thing after the other.
func (s *site) read(ctx context.Context, random *rand.Rand) {
	for ctx.Err() == nil {
		a, b := sessionName(random.IntN(served)), sessionName(random.IntN(served))
		paths := []string{"/", "/api/sessions", "/api/session?file=" + a, "/report?file=" + a, "/report?file=" + a + "&file=" + b,
			"/api/compare?file=" + a + "&file=" + b,
			"/report?file=../" + a, "/report?file=%2Fetc%2Fpasswd", "/api/session?file=none", "/../" + a, "/api/history?file=" + a}
		path := paths[random.IntN(len(paths))]
		if random.IntN(10) == 0 {
			s.slow(ctx, path)
			continue
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address.JoinPath().String(), nil)
		if err != nil {
			s.wrong("%s: %v", path, err)
			return
		}
		request.URL.Path, request.URL.RawQuery, _ = strings.Cut(path, "?")
		s.ask(ctx, request)
	}
}

// ask sends a request, whose answer must be no failure of the server.
func (s *site) ask(ctx context.Context, request *http.Request) {
	answer, err := s.client.Do(request)
	if err != nil {
		if ctx.Err() == nil {
			s.wrong("%s: %v", request.URL, err)
		}
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil && ctx.Err() == nil:
		s.wrong("%s: %v", request.URL, err)
	case answer.StatusCode >= 500 && answer.StatusCode != http.StatusServiceUnavailable:
		s.wrong("%s: %s: %.500s", request.URL, answer.Status, body)
	case bytes.Contains(body, []byte("root:x:0")):
		s.wrong("%s: it returns /etc/passwd", request.URL)
	}
	s.answers.Add(1)
}

// slow sends half a request, or reads nothing of an answer.
func (s *site) slow(ctx context.Context, path string) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address.Host)
	if err != nil {
		return
	}
	defer c.Close()
	request := "GET " + path + " HTTP/1.1\r\nHost: " + s.address.Host
	for _, c := range s.client.Jar.Cookies(s.address) {
		request += "\r\nCookie: " + c.String()
	}
	request += "\r\n\r\n"
	_, _ = io.WriteString(c, request[:len(request)-len(path)%5])
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// wrong keeps the first fault.
func (s *site) wrong(format string, a ...any) {
	said := fmt.Sprintf(format, a...)
	s.fault.CompareAndSwap(nil, &said)
}

// open returns the number of the server's open files.
func (s *site) open() int {
	names, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
	return len(names)
}

// few files may be open beyond those that were: a watch, the file that is read just now.
const few = 3

// quiet waits until the server has closed what its clients have left.
func (s *site) quiet(before int) error {
	s.client.CloseIdleConnections()
	for deadline := time.Now().Add(patience); s.open() > before+few; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d files are open %v after the last client has gone, %d were before the first", s.open(), patience, before)
		}
	}
	return nil
}

// end interrupts the server.
func (s *site) end() error {
	_ = s.cmd.Process.Signal(unix.SIGINT)
	hangs := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	err := s.cmd.Wait()
	if !hangs.Stop() {
		return errors.New("it does not end when it is interrupted")
	}
	kib := s.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	switch said := s.text.String(); {
	case err != nil:
		return fmt.Errorf("serve ends with %w: %s", err, said)
	case kib > most>>10:
		return fmt.Errorf("serve took %d MiB", kib>>10)
	case strings.Contains(said, "goroutine "), strings.Contains(said, "panic"):
		return errors.New("serve panics: " + said)
	}
	return nil
}
