package site

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// tokenKey names the token in the URL that is printed.
const tokenKey = "token"

// door refuses requests that do not come from the user, before anything is read for them.
type door struct {
	token string   // "": whoever reaches the address is let in
	names []string // host names of the server, besides its addresses and localhost
	next  http.Handler
}

// ServeHTTP implements http.Handler.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fence(w.Header())
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, http.StatusMethodNotAllowed, "method not allowed")
	case r.ContentLength != 0:
		refuse(w, r, http.StatusRequestEntityTooLarge, "a request has no body here")
	case !d.isOurs(r):
		refuse(w, r, http.StatusForbidden, fmt.Sprintf("unexpected Host header %q\n"+
			"hint: plimsoll serve --host-name NAME, if the server is known by that name", r.Host))
	case foreign(r):
		refuse(w, r, http.StatusForbidden, "this request comes from another site\nhint: paste the URL into the address bar")
	case d.token == "":
		d.next.ServeHTTP(w, r)
	case r.URL.Query().Has(tokenKey):
		d.exchange(w, r)
	case !d.knows(r):
		refuse(w, r, http.StatusForbidden, "the token is missing\nhint: open the URL that plimsoll serve printed")
	default:
		d.next.ServeHTTP(w, r)
	}
}

// fence sets the headers that keep other sites away from an answer. A page replaces the policy by its own.
func fence(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}

// refuse answers with an error, and waits for no body.
func refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // a connection without deadlines is left to its client
	}
	http.Error(w, text, status)
}

// isOurs reports whether the Host header is a name of this server. A page of a site whose name was made to resolve to
// this machine (DNS rebinding) still has that name. The port does not matter: a tunnel may end at any.
func (d *door) isOurs(r *http.Request) bool {
	host, _ := splitHost(r.Host)
	at := reached(r)
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == "" && (ip.Unmap() == at || ip.Unmap().IsLoopback() && at.IsLoopback())
	}
	return at.IsLoopback() && strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(d.names, func(name string) bool { return strings.EqualFold(name, host) })
}

// splitHost splits a Host header, whose port may be missing.
func splitHost(hostport string) (host, port string) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]"), ""
	}
	return host, port
}

// reached returns the address of this machine at which a request arrived; the zero Addr if unknown.
func reached(r *http.Request) netip.Addr {
	at, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if at == nil {
		return netip.Addr{}
	}
	return at.AddrPort().Addr().Unmap().WithZone("")
}

// foreign reports whether a browser says that a page of another origin made the request. One of the same site counts as
// foreign: all ports of a host are one site, and any of them may be another user's.
func foreign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && !strings.EqualFold(origin, "http://"+r.Host) {
		return true
	}
	return !slices.Contains([]string{"", "none", "same-origin"}, r.Header.Get("Sec-Fetch-Site"))
}

// exchange sets a cookie for the token, and redirects to the URL without it: URLs are kept in histories and shown to
// bystanders.
func (d *door) exchange(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !d.isToken(query.Get(tokenKey)) {
		refuse(w, r, http.StatusForbidden, "the token is wrong\nhint: open the URL that plimsoll serve printed last; each "+
			"start has its own")
		return
	}
	query.Del(tokenKey)
	http.SetCookie(w, &http.Cookie{Name: cookieOf(r), Value: d.token, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	// A path that begins with two slashes would be another host's URL.
	to := url.URL{Path: path.Clean("/" + r.URL.Path), RawQuery: query.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// knows reports whether a request has the token in its cookie.
func (d *door) knows(r *http.Request) bool {
	cookie, err := r.Cookie(cookieOf(r))
	return err == nil && d.isToken(cookie.Value)
}

// isToken compares in constant time.
func (d *door) isToken(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(d.token)) == 1
}

// cookieOf returns the name of the token's cookie. All ports of a host share their cookies.
func cookieOf(r *http.Request) string {
	_, port := splitHost(r.Host)
	return "plimsoll-" + strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, port)
}
