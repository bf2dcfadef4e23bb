package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"plimsoll/internal/client/httpload"
	"plimsoll/internal/engine/own"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/web/targets"
)

// aim replaces a configuration's requests by those of the targets file. A URL names the server of targets that are
// paths.
func aim(c *httpload.Config, p workload.Params, base string, seed uint64) error {
	mix, err := mixOf(p)
	if err != nil {
		return err
	}
	if base != "" {
		if base, err = serverAt(base); err != nil {
			return err
		}
	}
	requests, weights, err := targets.Requests(mix.Targets, base, c.Header, c.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	c.URLs, c.Method, c.Header, c.Body = nil, "", nil, nil
	c.Requests, c.Weights, c.Seed = requests, weights, seed
	return nil
}

// mixOf returns the requests of the targets file.
func mixOf(p workload.Params) (targets.Mix, error) {
	mix, err := targets.Unpack(p.Text(paramTargets), logMethods(p))
	if err != nil {
		return mix, fmt.Errorf("%s: %w", Name, err)
	}
	return mix, nil
}

// remarks says what of an access log is not sent.
func remarks(p workload.Params) []string {
	if p.Set(paramTargets) == "" {
		return nil
	}
	mix, err := mixOf(p)
	if text := mix.Log.Left(logMethods(p)); err == nil && text != "" {
		return []string{text}
	}
	return nil
}

// logMethods are those of an access log's requests that are sent.
func logMethods(p workload.Params) string { return cmp.Or(p.Text(paramLogMethods), targets.LogMethods) }

// serverAt returns the scheme and host of the first of several URLs.
func serverAt(urls string) (string, error) {
	first, _, _ := strings.Cut(strings.TrimSpace(urls), " ")
	u, err := url.Parse(first)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%s: the URL names no server\nhint: --set %s.%s=http://HOST:PORT/", Name, Name, paramURL)
	}
	return u.Scheme + "://" + u.Host, nil
}

// addressed returns the URLs of the server that is there.
func addressed(p workload.Params) []string {
	if given := strings.Fields(httpload.Compact(p.Text(paramURL))); len(given) > 0 || p.Set(paramTargets) == "" {
		return given
	}
	mix, err := mixOf(p)
	if err != nil {
		return nil
	}
	return []string{targets.Server(mix.Targets)}
}

// checkTargets returns an error if a parameter contradicts the targets file, whose contents were checked when it was
// read.
func checkTargets(p workload.Params) error {
	external := p.Text(paramServer) == serverURL
	if _, err := mixOf(p); err != nil {
		return err
	}
	switch {
	case p.Text(paramMethod) != "":
		return fmt.Errorf("%s: a method and a targets file, which has the method of each request\nhint: leave --request out",
			Name)
	case !external && p.Text(own.ParamStart) == "" && p.Text(paramServer) == own.Name:
		return fmt.Errorf("%s: server=%s without a command\nhint: --start './svc --port {port}'", Name, own.Name)
	case external && p.Text(paramURL) == "":
		return allNamed(p)
	case external:
		return nil
	}
	_, _, err := engineOf(p)
	return err
}

// allNamed returns an error if a target names no server.
func allNamed(p workload.Params) error {
	mix, err := mixOf(p)
	if err != nil {
		return err
	}
	if _, _, err := targets.Requests(mix.Targets, "", nil, nil); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// unquoted returns the cause of a failed request without its URL, which may hold a secret, if it has another name.
func unquoted(err error, r httpload.Request) error {
	var quoting *url.Error
	if r.Name != r.URL && errors.As(err, &quoting) {
		return fmt.Errorf("%s: %w", r.Name, quoting.Err)
	}
	return err
}
