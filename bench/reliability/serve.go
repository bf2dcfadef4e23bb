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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Sessions that nobody touches, and how much memory a server may keep of an attack, in bytes.
const (
	untouched = 5
	grown     = 64 << 20
)

// site is a plimsoll serve, and what its clients got.
type site struct {
	t       *trial
	dir     string
	cmd     *exec.Cmd
	text    heard
	address *url.URL
	client  *http.Client
	asked   atomic.Int64 // requests that were sent
	answers atomic.Int64
	fault   atomic.Pointer[string] // the first answer that must not be

	mu     sync.Mutex
	waited []time.Duration // of honest requests, until each was answered
	list   int64           // bytes of the list
}

// serve has many clients read a directory whose files are changed, cut and removed meanwhile; some of them read slowly,
// and some ask for what is not there. Honest requests for what nobody touches are answered all the same.
func serve(ctx context.Context, t *trial) outcome {
	s, err := t.many(ctx)
	if err == nil {
		err = s.start(ctx)
	}
	if err != nil {
		return outcome{broken: text(err)}
	}
	if s.list, err = s.length(ctx, list); err != nil {
		return outcome{broken: text(errors.Join(err, s.end()))}
	}
	warm, err := s.live(ctx)
	if err != nil {
		return outcome{broken: text(errors.Join(err, s.end()))}
	}
	before := s.open()
	attack, stop := context.WithTimeout(ctx, t.size.serving)
	defer stop()
	var all sync.WaitGroup
	for i := range t.size.clients {
		random := rand.New(rand.NewPCG(t.random.Uint64(), 1))
		if i < max(2, t.size.clients/20) {
			all.Go(func() { s.honest(ctx, attack, random) })
		} else {
			all.Go(func() { s.read(attack, random) })
		}
	}
	changes := s.meddle(attack)
	all.Wait()
	err = errors.Join(s.quiet(before), s.grew(ctx, warm), s.end())
	if f := s.fault.Load(); f != nil {
		err = errors.Join(err, errors.New(*f))
	}
	out := outcome{hit: s.asked.Load() >= int64(t.size.clients) && changes >= min(t.size.files, 100)}
	out.figure, out.broken = s.figure(), text(errors.Join(err, t.deserted()))
	return out
}

// figure says how long honest requests took.
func (s *site) figure() string {
	slices.Sort(s.waited)
	n := len(s.waited)
	if n == 0 {
		return "no honest request was answered"
	}
	kib := s.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	left := append([]int64{0}, s.collected()...)
	return fmt.Sprintf("%d answers; at most %d MiB, %d needed at the end; honest requests: %d, p50 %v, p99 %v",
		s.answers.Load(), kib>>10, left[len(left)-1]>>20, n,
		s.waited[n/2].Round(time.Millisecond), s.waited[(99*n-1)/100].Round(time.Millisecond))
}

// meddle changes, cuts and removes files until the attack is over. It returns how many.
func (s *site) meddle(attack context.Context) (changes int) {
	random := s.t.random
	for names := []string{"remove", "truncate", "halve", "append", "replace",
		"directory"}; attack.Err() == nil; time.Sleep(10 * time.Millisecond) {
		path := filepath.Join(s.dir, sessionName(random.IntN(s.t.size.files)))
		if meddlings()[names[random.IntN(len(names))]](path) != nil {
			_ = os.RemoveAll(path)
			_ = s.copy(path)
		}
		changes++
	}
	return changes
}

// live returns the bytes that the server's program needs, whatever it has asked the system for: what is left after a
// collection of garbage, as Go's runtime traces it (GODEBUG=gctrace=1). One client asks for all that there is until
// three have ended: then nothing of others is left, and what is kept for any client is there.
func (s *site) live(ctx context.Context) (int64, error) {
	a, b := quietName(0), quietName(1)
	paths := []string{list, "/", "/api/session?file=" + a, "/report?file=" + a, "/api/compare?file=" + a + "&file=" + b}
	first := len(s.collected())
	for deadline := time.Now().Add(answeredWithin); ; {
		for _, path := range paths {
			if _, _, err := s.status(ctx, path); err != nil {
				return 0, err
			}
		}
		if got := s.collected(); len(got) > first+2 {
			return got[len(got)-1], nil
		}
		if time.Now().After(deadline) {
			return 0, fmt.Errorf("serve has collected no garbage for %v", answeredWithin)
		}
	}
}

// collected returns the bytes that each collection of garbage has left so far.
func (s *site) collected() []int64 {
	var out []int64
	for _, m := range regexp.MustCompile(`(?m)^gc \d+ @.*->(\d+) MB, `).FindAllStringSubmatch(s.text.String(), -1) {
		mib, _ := strconv.ParseInt(m[1], 10, 64)
		out = append(out, mib<<20)
	}
	return out
}

// grew checks that the server needs no more memory than before the attack once all of its clients have gone. Whether it
// took that on early or late does not matter.
func (s *site) grew(ctx context.Context, warm int64) error {
	end, err := s.live(ctx)
	if err == nil && end > warm+grown {
		err = fmt.Errorf("serve needs %d MiB when all clients have gone, and needed %d before they came", end>>20, warm>>20)
	}
	return err
}

// heard is what a program writes, which can be read meanwhile.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// answeredWithin is the longest that an honest request may wait, beside an attack and whatever else the machine does.
const answeredWithin = time.Minute

// honest asks for what nobody touches, and again when the server says that it is busy, until the attack is over.
func (s *site) honest(ctx, attack context.Context, random *rand.Rand) {
	for attack.Err() == nil {
		a, b := quietName(random.IntN(untouched)), quietName(random.IntN(untouched))
		paths := []string{"/", "/api/sessions", "/api/session?file=" + a, "/report?file=" + a,
			"/api/compare?file=" + a + "&file=" + b}
		path := paths[random.IntN(len(paths))]
		s.asked.Add(1)
		began := time.Now()
		for status := 0; status != http.StatusOK; {
			var err error
			switch status, _, err = s.status(ctx, path); {
			case ctx.Err() != nil:
				return
			case err != nil:
				s.wrong("%s: %v", path, err)
				return
			case status != http.StatusOK && status != http.StatusServiceUnavailable:
				s.wrong("an honest request, %s, is answered with %d", path, status)
				return
			case status != http.StatusOK && time.Since(began) > answeredWithin:
				s.wrong("an honest request, %s, is not answered within %v", path, answeredWithin)
				return
			case status != http.StatusOK:
				time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
			}
		}
		s.mu.Lock()
		s.waited = append(s.waited, time.Since(began))
		s.mu.Unlock()
	}
}

// status asks for a path, and returns the status of the whole answer, and its length.
func (s *site) status(ctx context.Context, path string) (status int, length int64, err error) {
	at, err := s.address.Parse(path)
	if err != nil {
		return 0, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return 0, 0, err
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close()
	length, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, length, err
}

// length returns the bytes of a path's answer once all files have been read, as those of get have.
func (s *site) length(ctx context.Context, path string) (int64, error) {
	if _, err := s.get(path); err != nil {
		return 0, err
	}
	_, n, err := s.status(ctx, path)
	return n, err
}

func sessionName(i int) string { return fmt.Sprintf("s%d.plimsoll.jsonl", i) }
func quietName(i int) string   { return fmt.Sprintf("quiet%d.plimsoll.jsonl", i) }

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
	for i := range t.size.files {
		if err := s.copy(filepath.Join(s.dir, sessionName(i))); err != nil {
			return nil, err
		}
	}
	for i := range untouched {
		if err := s.copy(filepath.Join(s.dir, quietName(i))); err != nil {
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
	s.client = &http.Client{Jar: jar, Timeout: time.Minute,
		Transport: &http.Transport{MaxIdleConnsPerHost: s.t.size.clients}}
	s.cmd = exec.CommandContext(ctx, s.t.program, "serve", s.dir, "--addr", "127.0.0.1:0")
	s.cmd.Env, s.cmd.Stderr = append(s.t.environ(), "GODEBUG=gctrace=1"), &s.text
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
		a, b := sessionName(random.IntN(s.t.size.files)), sessionName(random.IntN(s.t.size.files))
		paths := []string{"/", "/api/sessions", "/api/session?file=" + a, "/report?file=" + a,
			"/report?file=" + a + "&file=" + b,
			"/api/compare?file=" + a + "&file=" + b,
			"/report?file=../" + a, "/report?file=%2Fetc%2Fpasswd", "/api/session?file=none", "/../" + a,
			"/api/history?file=" + a}
		path := paths[random.IntN(len(paths))]
		s.asked.Add(1)
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
			return fmt.Errorf("%d files are open %v after the last client has gone, %d were before the first", s.open(),
				patience, before)
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
	// each client may have its list, in a buffer that doubles as it grows
	case kib > (most+int64(s.t.size.clients)*2*s.list)>>10:
		return fmt.Errorf("serve took %d MiB", kib>>10)
	case strings.Contains(said, "goroutine "), strings.Contains(said, "panic"):
		return errors.New("serve panics: " + said)
	}
	return nil
}
