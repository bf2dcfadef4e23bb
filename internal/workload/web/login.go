package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/workload"
)

// The parameters of a login, and the values of the one that says for whom it is.
const (
	paramLogin       = "login"
	paramLoginBody   = "login_body"
	paramLoginHeader = "login_header"
	paramToken       = "token"
	paramLogins      = "logins"

	loginsAuto    = "auto"
	loginsOne     = "one"
	loginsClients = "clients"
)

// loginsAtOnce bounds the logins that are in flight: a server hashes passwords slowly on purpose.
const loginsAtOnce = 4

// loginOf returns the configuration of the login, whose path is one of the measured server's.
func loginOf(p workload.Params, load httpload.Config, server string) (httpload.Config, error) {
	method, path, found := strings.Cut(strings.TrimSpace(p.Text(paramLogin)), " ")
	if !found {
		method, path = "POST", method
	}
	path = strings.TrimSpace(path)
	if strings.HasPrefix(path, "/") {
		path = server + path
	}
	out := load
	out.URLs, out.Requests, out.Weights, out.Header = nil, nil, nil, nil
	r := httpload.Request{Name: "the login", URL: path, Method: method, Body: []byte(p.Text(paramLoginBody))}
	for line := range strings.Lines(p.Text(paramLoginHeader)) {
		if line = strings.TrimSpace(line); line != "" {
			r.Header = append(r.Header, line)
		}
	}
	typed := slices.ContainsFunc(r.Header, func(h string) bool {
		return strings.HasPrefix(strings.ToLower(h),
			"content-type:")
	})
	if text := strings.TrimSpace(string(r.Body)); !typed && text != "" {
		kind := "application/x-www-form-urlencoded"
		if text[0] == '{' || text[0] == '[' {
			kind = "application/json"
		}
		r.Header = append(r.Header, "Content-Type: "+kind)
	}
	out.Requests = []httpload.Request{r}
	out.Values.Clients = nil
	return out, nil
}

// checkLogin returns an error if a login is not one.
func checkLogin(p workload.Params) error {
	if p.Text(paramLogin) == "" {
		return nil
	}
	c, err := loginOf(p, httpload.Config{}, "http://127.0.0.1:80")
	if err == nil {
		_, err = c.Requests[0].Check()
	}
	if err == nil {
		_, err = tokenPath(p.Text(paramToken))
	}
	if err != nil {
		return fmt.Errorf("%s: the login: %w", Name, err)
	}
	return nil
}

// where says in which part of an answer a token is.
type where struct {
	header, cookie string   // its name
	path           []string // in JSON: names and places
}

// tokenPath parses where a token is: a path such as .user.token or .tokens[0], header:NAME or cookie:NAME.
func tokenPath(text string) (where, error) {
	kind, name, named := strings.Cut(text, ":")
	switch {
	case text == "":
		return where{}, nil
	case named && kind == "header" && name != "":
		return where{header: name}, nil
	case named && kind == "cookie" && name != "":
		return where{cookie: name}, nil
	}
	if !regexp.MustCompile(`^(\$?\.)?[\w-]+(\.[\w-]+|\[\d+\])*$`).MatchString(text) {
		return where{}, fmt.Errorf("token=%s says nowhere\nhint: --token .user.token, a path in its answer in JSON; or "+
			"--token header:NAME, or --token cookie:NAME", text)
	}
	return where{path: strings.FieldsFunc(strings.TrimPrefix(text, "$"), func(r rune) bool {
		return r == '.' || r == '[' || r == ']'
	})}, nil
}

// in returns the token of an answer.
func (w where) in(resp *http.Response, body []byte) (string, error) {
	switch {
	case w.header != "":
		if v := resp.Header.Get(w.header); v != "" {
			return v, nil
		}
		return "", fmt.Errorf("its answer has no header %s", w.header)
	case w.cookie != "":
		for _, c := range resp.Cookies() {
			if c.Name == w.cookie {
				return c.Value, nil
			}
		}
		return "", fmt.Errorf("its answer sets no cookie %s", w.cookie)
	}
	var at any
	if err := json.Unmarshal(body, &at); err != nil {
		return "", fmt.Errorf("its answer is not JSON")
	}
	for _, step := range w.path {
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				return "", fmt.Errorf("its answer has nothing at .%s", strings.Join(w.path, "."))
			}
			at = v[i]
		default:
			at = nil
		}
	}
	switch v := at.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("its answer has no text at .%s", strings.Join(w.path, "."))
}

// logIn makes the logins and adds what they give to the load's values. Nothing of an answer but its status, and a
// failed one's body, is told to anybody.
func (d *driver) logIn(ctx context.Context, load *httpload.Config, server string) error {
	if d.params.Text(paramLogin) == "" {
		return nil
	}
	c, err := loginOf(d.params, *load, server)
	if err != nil {
		return err
	}
	target, err := httpload.New(c)
	if err != nil {
		return fmt.Errorf("%s: the login: %w", Name, err)
	}
	n := 1
	if kind := d.params.Text(paramLogins); kind == loginsClients || kind == loginsAuto && target.Varies() {
		n = d.requests
	}
	at, err := tokenPath(d.params.Text(paramToken))
	if err != nil {
		return err
	}
	requests := make([]httpload.Request, n) // in the order of the rows
	for i := range requests {
		requests[i] = target.Filled()
	}
	tokens, cookies := make([]string, n), make([]string, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loginsAtOnce)
	for i, r := range requests {
		group.Go(func() error {
			resp, answer, err := send(ctx, c, r, httpload.Expect{})
			if err != nil {
				return fmt.Errorf("%s: the login: %w", Name, err)
			}
			if err := (httpload.Expect{}).Check(answer); err != nil {
				return fmt.Errorf("%s: the login returns %w%s\nhint: check --login, --login-body and --login-header", Name, err,
					excerpt(answer.Begins))
			}
			if d.params.Text(paramToken) != "" {
				if tokens[i], err = at.in(resp, answer.Begins); err != nil {
					return fmt.Errorf("%s: the login's token: %w\nhint: --token .user.token is a path in JSON; header:NAME and "+
						"cookie:NAME are other places", Name, err)
				}
			}
			var all []string
			for _, k := range resp.Cookies() {
				all = append(all, k.Name+"="+k.Value)
			}
			cookies[i] = strings.Join(all, "; ")
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	load.Values.Clients = map[string][]string{}
	if d.params.Text(paramToken) != "" {
		load.Values.Clients[httpload.Token] = tokens
	}
	if cookies[0] != "" {
		load.Values.Clients[httpload.Cookies] = cookies
		withCookies(load)
	}
	if len(load.Values.Clients) == 0 {
		return fmt.Errorf("%s: the login's answer sets no cookie, and nothing says where its token is\nhint: --token "+
			".user.token -H 'Authorization: Bearer {token}'", Name)
	}
	d.given = slices.Clone(tokens)
	for _, one := range cookies {
		for pair := range strings.SplitSeq(one, "; ") {
			_, value, _ := strings.Cut(pair, "=")
			d.given = append(d.given, value)
		}
	}
	return nil
}

// withCookies sends a client's cookies with each of its requests.
func withCookies(c *httpload.Config) {
	const line = "Cookie: {" + httpload.Cookies + "}"
	has := func(lines []string) bool {
		return slices.ContainsFunc(lines, func(h string) bool { return strings.HasPrefix(strings.ToLower(h), "cookie:") })
	}
	if !has(c.Header) {
		c.Header = append(slices.Clone(c.Header), line)
	}
	for i := range c.Requests {
		if !has(c.Requests[i].Header) {
			c.Requests[i].Header = append(slices.Clone(c.Requests[i].Header), line)
		}
	}
}

// leastSecret is the length from which on what a login gave is masked: shorter texts are parts of others.
const leastSecret = 4

// masked returns a text without what the logins gave, and without the beginning of it at the text's end.
func (d *driver) masked(text string) string {
	for _, given := range d.given {
		if len(given) < leastSecret {
			continue
		}
		text = strings.ReplaceAll(text, given, secret.Masked)
		for k := min(len(given)-1, len(text)); k >= leastSecret; k-- {
			if before, ok := strings.CutSuffix(text, given[:k]); ok {
				text = before + secret.Masked
				break
			}
		}
	}
	return text
}
