package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/eventloops"
	"plimsoll/internal/workload/web/targets"
)

// driver loads a server: its own, one on the target, or an external one.
type driver struct {
	env      workload.Env
	params   workload.Params
	requests int     // most in flight
	own      *server // nil if the server is external
	target   *httpload.Target
	at       place // of a server whose name has several addresses
	heated   time.Duration
	warming  workload.Warming // of the JIT warm-up
	length   int64            // of each body; −1 if it varies or is unknown
	given    []string         // what the logins gave: secrets
	loops    eventloops.Loops
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	d := &driver{env: env, params: p, length: -1, requests: p.Int(paramConnections) * p.Int(paramStreams)}
	if n := p.Int(record.ParamClients); n > 0 {
		d.requests = n
	}
	if env.Target == "" && p.Text(paramServer) != serverURL {
		var err error
		d.own, err = serverOf(env, p)
		return d, err
	}
	return d, nil
}

// requests returns the load's requests to a URL, as the parameters set them.
func requests(p workload.Params, at string, env workload.Env) (httpload.Config, error) {
	c := httpload.Config{
		URLs: strings.Fields(httpload.Compact(at)), Method: p.Text(paramMethod),
		Timeout:  time.Duration(p.Number(paramTimeout) * float64(time.Second)),
		Expect:   expected(p),
		Protocol: p.Text(paramProtocol), Streams: p.Int(paramStreams), Once: !p.Bool(paramKeepAlive),
		Resume: p.Bool(paramResume),
	}
	for line := range strings.Lines(p.Text(paramHeader)) {
		if line = strings.TrimSpace(line); line != "" {
			c.Header = append(c.Header, line)
		}
	}
	c.Body = []byte(p.Text(paramPost))
	if slices.ContainsFunc(c.Header, isForm) {
		c.Body = []byte(p.TextIn(paramPost, secret.Form))
	}
	// The certificate of our own server was made for this trial.
	if p.Bool(paramInsecure) || p.Text(paramServer) != serverURL {
		c.TLS = &tls.Config{InsecureSkipVerify: true}
	}
	c.Values = httpload.Values{Seed: env.Seed, Run: hashed(env.Trial), Part: env.Part, Parts: p.Hosts()}
	var err error
	if p.Text(paramLogin) != "" && p.Text(paramToken) != "" {
		c.Values.Clients = map[string][]string{httpload.Token: {"token"}} // until it is known
	}
	if p.Set(paramCSV) != "" {
		if c.Values.Rows, err = targets.UnpackRows(p.Text(paramCSV)); err != nil {
			return c, fmt.Errorf("%s: %w", Name, err)
		}
	}
	if p.Set(paramTargets) != "" {
		err = aim(&c, p, at, env.Seed)
	}
	if err == nil && c.Values.Rows != nil && !c.NamesColumn() &&
		!strings.Contains(p.Text(paramLoginBody)+p.Text(paramLoginHeader)+p.Text(paramLogin), "{column") {
		err = fmt.Errorf("%s: no URL, header or body names a column of the CSV file\nhint: {column %s} is a value of it",
			Name,
			c.Values.Rows.Names[0])
	}
	return c, err
}

// hashed returns a number that stands for a text.
func hashed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// isForm reports whether a header says that the body is a form.
func isForm(header string) bool {
	name, value, _ := strings.Cut(header, ":")
	return strings.EqualFold(name, "Content-Type") &&
		strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "application/x-www-form-urlencoded")
}

// newTarget returns the target of a load, or an error, which does not quote a URL that refers to a secret.
func newTarget(c httpload.Config, p workload.Params) (*httpload.Target, error) {
	if len(secret.Keys(p.Set(paramURL)+" "+p.Set(paramPath))) > 0 {
		for _, one := range c.URLs {
			if _, err := url.Parse(one); err != nil || strings.ContainsFunc(one, unicode.IsControl) {
				return nil, fmt.Errorf("%s: the URL cannot be parsed with what it refers to\nhint: a variable that is all of the "+
					"URL holds http://HOST:PORT/PATH; in a part of one, only its host is taken as it is", Name)
			}
		}
	}
	return httpload.New(c)
}

// expected returns the checks of each answer.
func expected(p workload.Params) httpload.Expect {
	return httpload.Expect{Status: p.Text(paramExpectStatus), Body: []byte(p.Text(paramExpectBody))}
}

// spareFiles covers the files that a trial's process opens beside its connections.
const spareFiles = 64

// enoughFiles returns an error if the limit of open files is too low for all connections.
func (d *driver) enoughFiles() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("%s: read the limit of open files: %w", Name, err)
	}
	if need := uint64(connections(d.params, d.requests) + spareFiles); limit.Cur < need {
		return fmt.Errorf("%s: %d connections, but the limit of open files is %d\nhint: ulimit -n %d before "+
			"plimsoll run, or fewer connections", Name, connections(d.params, d.requests), limit.Cur, need)
	}
	return nil
}

// Prepare starts the server and sends one request, so that a wrong answer is found before the load.
func (d *driver) Prepare(ctx context.Context) error {
	if err := d.enoughFiles(); err != nil {
		return err
	}
	at, name := d.params.Text(paramURL), d.params.Set(paramURL)
	base := d.env.Target
	if d.params.Text(paramServer) == serverURL {
		base = ""
	}
	if d.own != nil {
		var err error
		if base, err = d.own.Start(ctx); err != nil {
			return err
		}
	}
	if base != "" {
		at, name = base+d.params.Text(paramPath), base+d.params.Set(paramPath)
	}
	config, err := requests(d.params, at, d.env)
	if err != nil {
		return err
	}
	if d.target, err = newTarget(config, d.params); err != nil {
		return err
	}
	d.at = placeOf(ctx, config)
	config.Address = d.at.chosen
	if err := d.logIn(ctx, &config, d.target.Server()); err != nil {
		return err
	}
	if d.at.chosen != "" || d.given != nil {
		if d.target, err = newTarget(config, d.params); err != nil {
			return err
		}
	}
	if err := d.askOnce(ctx, config, name); err != nil {
		return err
	}
	if d.heated, err = heatOf(d.params); err != nil || d.heated == 0 {
		return err
	}
	return d.heat(ctx, d.heated)
}

// maxFirst is how much of the first answer's body is kept, in bytes.
const maxFirst = 1 << 20

// askOnce sends one request through the standard library, which is the oracle of the first answer. Its errors call the
// URL by the first word of a name.
func (d *driver) askOnce(ctx context.Context, c httpload.Config, name string) error {
	first := d.target.Filled()
	if len(c.Requests) == 0 {
		first.Name = strings.Fields(httpload.Compact(name))[0]
	}
	resp, answer, err := send(ctx, c, first, c.Expect)
	if err != nil {
		return fmt.Errorf("%s: the request before the load: %w", Name, err)
	}
	if err := c.Expect.Check(answer); err != nil {
		return fmt.Errorf("%s: %s returns %w%s\nhint: %s", Name, first.Name, err, d.excerpt(answer.Begins),
			cmp.Or(tlsHint(resp.StatusCode, answer.Begins),
				answerHint(resp.StatusCode, resp.Header.Get("Content-Encoding"), c.Expect)))
	}
	if len(c.Requests) == 0 && !d.target.Varies() && (d.own != nil || d.env.Target != "" &&
		d.params.Text(paramServer) != serverURL) {
		d.length = answer.Length // our own server always returns the same answer
	}
	return nil
}

// excerpt returns the beginning of an answer's body as part of a message, without secrets.
func (d *driver) excerpt(body []byte) string { return d.masked(excerpt(body)) }

// send sends one request by the standard library, and reads its answer. Its errors have hints.
func send(ctx context.Context, c httpload.Config, first httpload.Request, expect httpload.Expect) (*http.Response,
	httpload.Answer, error) {
	var none httpload.Answer
	req, err := http.NewRequestWithContext(ctx, first.Method, first.URL, bytes.NewReader(first.Body))
	if err != nil {
		return nil, none, unquoted(err, first)
	}
	for _, line := range first.Header {
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(name, "Host") {
			req.Host = strings.TrimSpace(value)
			continue
		}
		req.Header.Add(name, strings.TrimSpace(value))
	}
	transport := &http.Transport{TLSClientConfig: c.TLS, DisableKeepAlives: true, DisableCompression: true,
		Protocols: new(http.Protocols)}
	var accepted atomic.Bool
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, cmp.Or(c.Address, address))
		accepted.Store(err == nil)
		return conn, err
	}
	two := c.Protocol == httpload.HTTP2
	transport.Protocols.SetHTTP1(!two)
	transport.Protocols.SetHTTP2(two)
	transport.Protocols.SetUnencryptedHTTP2(two)
	client := http.Client{Transport: transport, Timeout: c.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if accepted.Load() && timedOut(ctx, err) {
		return nil, none, fmt.Errorf("%s: %w within %v\nhint: %s", first.Name, load.ErrSilent, c.Timeout, silentHint)
	}
	if err != nil {
		err = unquoted(err, first)
		return nil, none, fmt.Errorf("%w\nhint: %s", err, connectHint(err, c.Protocol))
	}
	defer resp.Body.Close()
	answer, err := expect.Read(resp.StatusCode, resp.Body, maxFirst)
	if timedOut(ctx, err) {
		return nil, none, fmt.Errorf("%s: the server began its answer but did not end it within %v\nhint: %s", first.Name,
			c.Timeout, silentHint)
	}
	if err != nil {
		return nil, none, fmt.Errorf("read its answer: %w", err)
	}
	return resp, answer, nil
}

// timedOut reports whether a request ended by its own timeout, and not since the run was ended.
func timedOut(ctx context.Context, err error) bool {
	var late net.Error
	return errors.As(err, &late) && late.Timeout() && ctx.Err() == nil
}

const silentHint = "is the server stuck, or out of workers? A longer --set " + Name + "." + paramTimeout +
	" waits for it"

// Lane makes event loop i with its share of the connections.
func (d *driver) Lane(i int) (workload.Lane, error) {
	loop, err := d.connect(i, max(d.env.Lanes, 1), d.requests)
	if err != nil {
		return nil, err
	}
	return d.loops.Lane(loop), nil
}

// Verify detects a server that died, and answers of the wrong length.
func (d *driver) Verify(ctx context.Context) error {
	if d.own != nil {
		if err := d.own.Verify(ctx); err != nil {
			return err
		}
	}
	s := d.loops.Stats()
	if d.length >= 0 && s.Bytes != d.length*s.Answers {
		return fmt.Errorf("%s: %d answers have %d bytes of body in all, not %d each",
			Name, s.Answers, s.Bytes, d.length)
	}
	return nil
}

// Close stops the server and closes all connections.
func (d *driver) Close() error {
	d.loops.Close()
	if d.own == nil {
		return nil
	}
	return d.own.Close()
}

// Keys returns the generator's code path, the server's versions and the length of its JIT warm-up.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{record.KeyPath: d.target.Path()}
	if d.heated > 0 {
		keys[workload.KeyHeat] = record.FormatDuration(d.heated.Seconds())
	}
	if d.at.chosen != "" {
		keys[record.KeyServerAddress] = d.at.chosen
	}
	if d.own != nil {
		maps.Copy(keys, d.own.Keys())
	}
	return keys
}

// Answers returns the measured answers by status, and the handshakes.
func (d *driver) Answers() workload.Answers {
	return eventloops.Answers(d.loops.Stats(), d.loops.Spots())
}

// Shared implements workload.Sharer: the percentiles of a mix's lines are of the requests of all generators.
func (d *driver) Shared() workload.Shared { return eventloops.Shared(d.loops.Spots()) }

// First returns the error of the first failed request.
func (d *driver) First() error {
	s := d.loops.Stats()
	if s.First != nil && s.FirstStatus > 0 {
		return fmt.Errorf("%w%s\nhint: %s", s.First, d.excerpt(s.FirstBody), statusHint(s.FirstStatus))
	}
	return s.First
}

// Doubts returns warnings about odd answers and connections.
func (d *driver) Doubts() []string {
	s := d.loops.Stats()
	var out []string
	if len(d.at.others) > 0 {
		out = append(out, fmt.Sprintf("the server's name has several addresses that answer, and the load goes to %s alone: "+
			"not to %s", d.at.chosen, strings.Join(d.at.others, ", ")))
	}
	out = append(out, remarks(d.params)...)
	if s.First != nil {
		out = append(out, "first failed request: "+s.First.Error()+d.excerpt(s.FirstBody))
	}
	if s.Reconnects > 0 {
		out = append(out, fmt.Sprintf("%d connections were reopened during the load", s.Reconnects))
	}
	if s.Handshakes > 0 && s.Resumed == 0 && d.params.Bool(paramResume) {
		out = append(out, "no TLS session was resumed: the server offers none")
	}
	if s.Retries > 0 {
		out = append(out, fmt.Sprintf("%d requests were resent because the server closed a reused connection "+
			"without an answer", s.Retries))
	}
	if s.Refused > 0 {
		out = append(out, fmt.Sprintf("%d requests were resent because the server refused them unprocessed, by "+
			"REFUSED_STREAM or GOAWAY", s.Refused))
	}
	if s.Doubtful > 0 {
		out = append(out, fmt.Sprintf("%d answers without a length may be cut short: the server closed their "+
			"connections without TLS's close_notify. Have it send Content-Length or close_notify", s.Doubtful))
	}
	return out
}
