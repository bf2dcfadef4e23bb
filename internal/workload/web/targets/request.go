package targets

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"plimsoll/internal/client/httpload"
)

// request returns the request to send and its server, which is base for a path; "" if base is.
func (t Target) request(base string) (r httpload.Request, server string, err error) {
	r = httpload.Request{Name: t.Name, URL: t.URL, Method: t.Method, Header: t.Header, Body: t.Body}
	path := strings.HasPrefix(t.URL, "/")
	switch {
	case path && base == "":
		r.URL = "http://localhost" + t.URL
	case path:
		r.URL = base + t.URL
	default:
		if r, err = withoutUser(r); err != nil {
			return r, "", err
		}
	}
	server, err = r.Check()
	if err != nil {
		return r, "", errors.New(strings.TrimPrefix(err.Error(), "http: "))
	}
	if path && base == "" {
		server = ""
	}
	return r, server, nil
}

// withoutUser moves a URL's user and password to a header, as curl and vegeta send them.
func withoutUser(r httpload.Request) (httpload.Request, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		// the cause quotes the URL, which may hold a secret
		return r, errors.New("the URL cannot be parsed\nhint: give http://HOST:PORT/PATH")
	}
	if u.User == nil {
		return r, nil
	}
	password, _ := u.User.Password()
	auth := base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password))
	u.User = nil
	r.URL, r.Header = u.String(), append(slices.Clone(r.Header), "Authorization: Basic "+auth)
	return r, nil
}
