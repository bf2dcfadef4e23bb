package web

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/workload"
)

// means recognises URLs, and addresses with a port.
func means(arg string) workload.Likelihood {
	switch u, err := url.Parse(arg); {
	case err == nil && (u.Scheme == "http" || u.Scheme == "https"):
		return workload.Certain
	case regexp.MustCompile(`^[\w.-]+:\d+(/|$)`).MatchString(arg):
		return workload.Possible
	}
	return workload.Unlikely
}

// command is the way to type a load of one's own service; the short flags are curl's.
func command() workload.Command {
	return workload.Command{
		Arguments: "URL… | /PATH",
		Take:      take,
		Means:     means,
		Flags: []workload.Flag{
			{Name: "header", Short: "H", Param: paramHeader}, {Name: "data", Short: "d", Param: paramPost, Check: noDuration},
			{Name: "request", Short: "X", Param: paramMethod}, {Name: "insecure", Short: "k", Param: paramInsecure},
		},
		Groups: []workload.Group{
			{Title: "load", Params: []string{"clients", "rate", "arrivals", "connections", "threads", "cpu_sets"}},
			{Title: "target", Params: []string{
				"server", "url", "answered_by", "pid", "unit", "container", "start", "dir", "address", "port"}},
			{Title: "request", Params: []string{
				"path", "method", "header", "post", "csv", "targets", "log_methods", "expect_status",
				"expect_body", "timeout"}},
			{Title: "login before the load", Params: []string{
				"login", "login_body", "login_header", "token", "logins"}},
			{Title: "connections and TLS", Params: []string{
				"protocol", "streams", "keepalive", "tls", "tls_resume", "insecure"}},
			{Title: "server started for the run", Params: []string{"body", "server_threads", "transport", "heat"}},
			{Title: "embedded test server", Params: []string{"service", "servers", "yield", "hold"}},
		},
		Peers: peers(),
		Examples: []workload.Example{
			{Command: "run http https://shop.example/items -H 'Authorization: Bearer ${TOKEN}' --clients 64",
				Doc: "an existing service, with 64 connections"},
			{Command: "run http http://127.0.0.1:8080/orders -d @order.json --rate 2000",
				Doc: "2000 POST requests a second, however long the answers take"},
			{Command: "run http --targets requests.txt --rate 500",
				Doc: "the requests of a file in vegeta's format, weighted by comments # weight: 3"},
			{Command: "run http / --start 'npm start' --clients 1,2,4,8",
				Doc: "a service started in this directory, by several numbers of clients; PORT tells it its port"},
			{Command: "run http http://127.0.0.1:8080/ --targets access.log --clients 16",
				Doc: "the URLs of an access log, as often as they are in it"},
			{Command: "run http http://127.0.0.1:8080/articles -d '{\"title\":\"t-{uuid}\"}' --clients 8",
				Doc: "requests with a value that is new in each"},
			{Command: "run http https://127.0.0.1:8443/ -k --vary protocol=1.1,2 --clients 32",
				Doc: "HTTP/1.1 and HTTP/2 compared on the same server"},
			{Command: "run http /items --vary start='./old --port {port},./new --port {port}'",
				Doc: "two builds of a service, interleaved"},
			{Command: "run http http://127.0.0.1:8080/ --load-line --slo p99=20ms",
				Doc: "the highest rate with a p99 of at most 20 ms"},
		},
	}
}

// take returns the settings for URLs: those of one server are requested in turn, those of several are sides. A path is
// that of a server started for the run.
func take(args []string) (workload.Taken, error) {
	if len(args) == 1 {
		one, file := args[0], strings.TrimPrefix(args[0], "@")
		switch {
		case strings.HasPrefix(one, "/"):
			return workload.Taken{Set: map[string]string{paramPath: one}}, nil
		case isFile(file):
			return workload.Taken{}, fmt.Errorf("%s: %q is a file, not a URL\nhint: plimsoll run %s --targets %s", Name, one,
				Name, file)
		case regexp.MustCompile(`^[\w-]+\.(txt|log|csv|json|targets|har)$`).MatchString(one):
			return workload.Taken{}, fmt.Errorf("%s: there is no file %q, and it isn't a URL\nhint: plimsoll run %s --targets "+
				"FILE reads requests from a file", Name, one, Name)
		}
	}
	servers := map[string]bool{}
	urls := make([]string, len(args))
	for i, arg := range args {
		plain, references := secret.Shielded(arg)
		marked, values := httpload.Split(httpload.Compact(plain))
		restore := func(text string) string { return references(values(text)) }
		u, err := parseURL(marked)
		if err != nil {
			return workload.Taken{}, noURL(arg)
		}
		servers[restore(u.Scheme+"://"+u.Host)] = true
		urls[i] = restore(u.String())
	}
	set := map[string]string{paramServer: serverURL}
	if len(servers) > 1 {
		return workload.Taken{Set: set, Vary: paramURL, Values: urls}, nil
	}
	set[paramURL] = strings.Join(urls, " ")
	return workload.Taken{Set: set}, nil
}

// isFile reports whether a regular file has this name.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// parseURL returns a URL, with http:// if its scheme is missing.
func parseURL(text string) (*url.URL, error) {
	full := text
	if !strings.Contains(text, "://") &&
		regexp.MustCompile(`^[\w.-]+(:\d+)?(/|$)|^\[[0-9A-Fa-f:.]+\]`).MatchString(text) && strings.ContainsAny(text, ".:/") {
		full = "http://" + text
	}
	u, err := url.Parse(full)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return nil, noURL(text)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// noURL returns the error for an argument that is no URL, with the URL that a port alone stands for.
func noURL(text string) error {
	meant := "http://HOST:PORT/PATH"
	if port := regexp.MustCompile(`^:?(\d{2,5})$`).FindStringSubmatch(text); port != nil {
		meant = "http://127.0.0.1:" + port[1] + "/"
	} else if regexp.MustCompile(`^[A-Za-z][\w-]*$`).MatchString(text) {
		meant = "http://" + text + "/"
	}
	return fmt.Errorf("%s: %q is no URL\nhint: plimsoll run %s %s", Name, text, Name, meant)
}
