package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
)

// server is an engine started for a trial.
type server struct {
	engine   engine.Web
	settings engine.Settings
	install  engine.Install
	running  *workload.Running
	secure   bool
}

// newServer returns the target's half when other hosts make the load.
func newServer(env workload.Env, p workload.Params) (workload.Server, error) {
	if p.Text(paramServer) == serverURL {
		url, _, _ := strings.Cut(p.Set(paramURL), " ")
		if all := addressed(p); url == "" && len(all) > 0 {
			url = all[0]
		}
		return there.Server{At: url}, nil
	}
	s, err := serverOf(env, p)
	if err != nil {
		return nil, err
	}
	s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress))
	return s, err
}

func serverOf(env workload.Env, p workload.Params) (*server, error) {
	e, _, err := engineOf(p)
	if err != nil {
		return nil, err
	}
	own := record.Params{}
	if slices.ContainsFunc(e.Params(), func(d record.Param) bool { return d.Name == engine.ParamSeed }) {
		// A fixed seed would give every trial the same random choices.
		own[engine.ParamSeed] = strconv.FormatUint(env.Seed%engine.MaxSeed, 10)
	}
	params, err := engine.ParamsOf(e, "", p.Text, own)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	return &server{
		engine: e, secure: p.Bool(engine.ParamTLS),
		settings: engine.Settings{
			Params: params, Scratch: env.Scratch, Port: p.Int(paramPort), Threads: p.Int(paramServerCPUs), CPUs: env.Work,
			Environ: env.Environ, Enter: env.Enter,
		},
	}, nil
}

// Start starts the server and returns its URL without a path.
func (s *server) Start(ctx context.Context) (string, error) {
	var err error
	if s.install, err = s.engine.Find(ctx, s.settings.Params); err != nil {
		return "", err
	}
	if s.running, err = workload.StartEngine(ctx, s.engine, s.install, s.settings); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	return schemeOf(s.secure) + s.running.Addrs()[0], nil
}

// Verify returns an error if the server ended before its trial did.
func (s *server) Verify(context.Context) error { return s.running.Ended(Name + ": the server") }

// Close stops the server. It may be called more than once.
func (s *server) Close() error { return s.running.Close() }

// Keys returns the versions of the server and its runtime.
func (s *server) Keys() map[string]string { return s.install.Keys() }

// connectHint returns the hint for a server that could not be reached.
func connectHint(err error, protocol string) string {
	var untrusted *tls.CertificateVerificationError
	var foreign tls.RecordHeaderError
	const version = "--set " + Name + "." + paramProtocol + "="
	text := err.Error()
	refused := strings.Contains(text, "no application protocol")
	switch {
	case strings.Contains(text, "malformed HTTP response"), refused && protocol == httpload.HTTP1:
		return "does the server speak HTTP/2 only? " + version + httpload.HTTP2
	case strings.Contains(text, "looked like an HTTP/1.1 header"), strings.Contains(text, "unexpected ALPN protocol"),
		refused:
		return "the server does not speak HTTP/2 there: " + version + httpload.HTTP1
	case protocol == httpload.HTTP1 && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)):
		hint := "the server closed the connection without an answer: does it speak HTTP/2 only? " + version + httpload.HTTP2
		if !strings.Contains(text, "https://") {
			hint += "; or TLS? https:// instead of http://"
		}
		return hint
	case errors.As(err, &untrusted):
		return "--set " + Name + "." + paramInsecure + "=true accepts any certificate; SSL_CERT_FILE=CA.pem on the " +
			"generator sets the trusted CA"
	case errors.As(err, &foreign), strings.Contains(text, "gave HTTP response to HTTPS client"):
		return "does the server speak TLS? http:// connects without"
	case answered(err):
		return "a server answers there, but not with valid HTTP: is it another kind of server?"
	}
	return "is a server listening there?"
}

// answered reports whether a request failed after the connection was made, and not because nothing came.
func answered(err error) bool {
	var system syscall.Errno
	var late net.Error
	return !errors.As(err, &system) && !errors.Is(err, io.EOF) && !(errors.As(err, &late) && late.Timeout()) &&
		!errors.As(err, new(*net.DNSError)) && !errors.Is(err, context.DeadlineExceeded)
}

// answerHint returns the hint for a first answer that is not as expected; encoding is its Content-Encoding.
func answerHint(status int, encoding string, expect httpload.Expect) string {
	good := (httpload.Expect{Status: expect.Status}).Check(httpload.Answer{Status: status}) == nil
	if good && encoding != "" && encoding != "identity" {
		return fmt.Sprintf("its body is encoded (Content-Encoding: %.40s) and is searched as it arrives: leave out the "+
			"header Accept-Encoding, or --set %s.%s=Accept-Encoding:identity", encoding, Name, paramHeader)
	}
	if good {
		return fmt.Sprintf("its status is %d; --set %s.%s is a text that good answers contain", status, Name, paramExpectBody)
	}
	if status < http.StatusBadRequest {
		return fmt.Sprintf("its status is %d, which --set %s.%s=%d accepts", status, Name, paramExpectStatus, status)
	}
	return statusHint(status)
}

// excerpt returns the beginning of an answer's body as part of a message, without secrets that it writes out; "" if
// there is none.
func excerpt(body []byte) string {
	const most = 200 // bytes
	cut := len(body) > most
	text := strings.ToValidUTF8(string(body[:min(len(body), most)]), "")
	if len(body) == 0 {
		return ""
	}
	unprintable := 0
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			unprintable++
			return -1
		}
		return r
	}, text)
	if unprintable*10 > len(text) || len(text)*2 < min(len(body), most) {
		return "; its body is no text"
	}
	text = secret.NewMasker().Text(strings.Join(strings.Fields(text), " "))
	if cut || len(body) == most {
		text += "…"
	}
	return "; its body: " + text
}

// tlsHint returns the hint for an answer to plain HTTP by which a server asks for TLS: Go's, nginx's and Apache's name
// HTTPS or SSL in it; "" for another.
func tlsHint(status int, body []byte) string {
	if status != http.StatusBadRequest || !bytes.Contains(body, []byte("HTTPS")) && !bytes.Contains(body, []byte("SSL")) {
		return ""
	}
	return "the server speaks TLS there: https:// instead of http://"
}

func statusHint(status int) string {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return "the server requires authentication: --set '" + Name + "." + paramHeader +
			"=Authorization: ${TOKEN}' with TOKEN exported, or --set " + Name + "." + paramHeader + "=@FILE"
	case status == http.StatusTooManyRequests:
		return "the server limits the rate of this client: raise its limit for the generator's address, or offer less: " +
			"--rate N"
	case status == http.StatusServiceUnavailable:
		return "the server is overloaded, not ready, or limits this client: see its log"
	case status >= http.StatusInternalServerError:
		return "the server itself failed: see its log"
	}
	return "check the path, the method and the body; --set " + Name + "." + paramPost + "=@FILE posts a file"
}
