package enginetest

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"time"

	"plimsoll/internal/engine"
)

// Web requests both pages of a web server, over two connections and twice over each, and returns an error if an
// answer is not as package engine specifies.
func Web(p engine.Params, i engine.Instance) error {
	scheme, config, err := trust(i)
	if err != nil {
		return err
	}
	for range 2 {
		t := &http.Transport{TLSClientConfig: config}
		client := &http.Client{Transport: t, Timeout: 10 * time.Second}
		base := scheme + "://" + i.Addrs()[0]
		for path, want := range map[string][]byte{"/": engine.Body(p.Int(engine.ParamBody)), "/hello": []byte(engine.Hello)} {
			for range 2 {
				if err := get(client, base+path, want); err != nil {
					return err
				}
			}
		}
		t.CloseIdleConnections()
	}
	return nil
}

// trust returns how to speak to the instance.
func trust(i engine.Instance) (scheme string, config *tls.Config, err error) {
	e, ok := i.(engine.Encrypted)
	if !ok || e.Certificate() == "" {
		return "http", nil, nil
	}
	config, err = engine.Trust(e.Certificate())
	return "https", config, err
}

func get(client *http.Client, url string, want []byte) error {
	r, err := client.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK || r.ProtoMajor != 1 || r.ContentLength != int64(len(want)) ||
		!bytes.Equal(got, want) {
		return fmt.Errorf("%s: %s %s, length %d, %d bytes %.40q, want 200 and %d bytes %.40q",
			url, r.Proto, r.Status, r.ContentLength, len(got), got, len(want), want)
	}
	return nil
}
