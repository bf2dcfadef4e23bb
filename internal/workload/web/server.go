package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

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
			Params: params, Scratch: env.Scratch, Port: p.Int(paramPort), Threads: p.Int(paramServerCPUs), CPUs: env.Work, Environ: env.Environ, Enter: env.Enter,
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
	scheme := "http"
	if s.secure {
		scheme = "https"
	}
	return scheme + "://" + s.running.Addrs()[0], nil
}

// Verify returns an error if the server ended before its trial did.
func (s *server) Verify(context.Context) error { return s.running.Ended(Name + ": the server") }

// Close stops the server. It may be called more than once.
func (s *server) Close() error { return s.running.Close() }

// Keys returns the versions of the server and its runtime.
func (s *server) Keys() map[string]string { return s.install.Keys() }

// connectHint returns the hint for a server that could not be reached.
func connectHint(err error) string {
	var untrusted *tls.CertificateVerificationError
	var foreign tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted):
		return "--set " + Name + "." + paramInsecure + "=true accepts any certificate; SSL_CERT_FILE=CA.pem on the " +
			"generator sets the trusted CA"
	case errors.As(err, &foreign):
		return "does the server speak TLS? http:// connects without"
	}
	return "is a server listening there?"
}

func statusHint(status int) string {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return "the server requires authentication: --set '" + Name + "." + paramHeader +
			"=Authorization: ${TOKEN}' with TOKEN exported, or --set " + Name + "." + paramHeader + "=@FILE"
	case status >= http.StatusInternalServerError:
		return "the server itself failed: see its log"
	}
	return "check the path, the method and the body; --set " + Name + "." + paramPost + "=@FILE posts a file"
}
