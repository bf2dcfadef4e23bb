package kafka

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

// own makes a key and a certificate and returns both as PEM.
func own(t *testing.T) (key, cert []byte) {
	t.Helper()
	dir := t.TempDir()
	if err := engine.SelfSign(dir, "127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(dir, engine.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	if cert, err = os.ReadFile(engine.CertPath(dir)); err != nil {
		t.Fatal(err)
	}
	return key, cert
}

func TestKeystores(t *testing.T) {
	key, cert := own(t)
	otherKey, _ := own(t)
	for name, c := range map[string]struct {
		text []byte
		want string // in the error; "": it is good
	}{
		"key first":         {slices.Concat(key, cert), ""},
		"certificate first": {slices.Concat(cert, key), ""},
		"no key":            {cert, "private key"},
		"no certificate":    {key, "certificate"},
		"another's key":     {slices.Concat(otherKey, cert), "private key does not match public key"},
		"no PEM":            {[]byte("\x00\x01nonsense"), "failed to find any PEM data"},
		"empty":             {nil, "failed to find any PEM data"},
	} {
		dir := t.TempDir()
		given := filepath.Join(dir, "given.pem")
		if err := os.WriteFile(given, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		trust, err := keys(dir, "127.0.0.1", given)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("%s: %v, want %q and a hint", name, err, c.want)
			}
			continue
		}
		got, readErr := os.ReadFile(trust)
		if err != nil || readErr != nil || string(got) != string(cert) {
			t.Errorf("%s: clients trust %q, %v, %v", name, got, err, readErr)
		}
	}
	if _, err := keys(t.TempDir(), "127.0.0.1", "/none/such.pem"); err == nil || !strings.Contains(err.Error(), "\nhint: leave it out") {
		t.Errorf("a keystore that is not there: %v", err)
	}
}

func TestMadeKeysAreAKeystore(t *testing.T) {
	dir := t.TempDir()
	if _, err := keys(dir, "127.0.0.1", ""); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, keystoreFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tls.X509KeyPair(text, text); err != nil {
		t.Error(err)
	}
	if err := checkKeystore(text); err != nil {
		t.Error(err)
	}
}
