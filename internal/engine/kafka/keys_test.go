package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/engine"
)

// named makes a key and a certificate for one name alone, which has expired, and returns both as PEM.
func named(t *testing.T, name string) (key, cert []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: time.Unix(0, 0),
		NotAfter: time.Unix(1, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

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
	if _, err := keys(t.TempDir(), "127.0.0.1", "/none/such.pem"); err == nil ||
		!strings.Contains(err.Error(), "\nhint: leave it out") {
		t.Errorf("a keystore that is not there: %v", err)
	}
}

// TestClientsTakeTheKeystoresCertificate, though it is for another host, and no other.
func TestClientsTakeTheKeystoresCertificate(t *testing.T) {
	key, cert := named(t, "broker.example")
	otherKey, otherCert := own(t)
	dir := t.TempDir()
	given := filepath.Join(dir, "given.pem")
	if err := os.WriteFile(given, slices.Concat(key, cert), 0o600); err != nil {
		t.Fatal(err)
	}
	trust, err := keys(dir, "127.0.0.1", given)
	if err != nil {
		t.Fatal(err)
	}
	client, err := engine.Pin(trust)
	if err != nil {
		t.Fatal(err)
	}
	client.ServerName = "127.0.0.1"
	for name, c := range map[string]struct {
		key, cert []byte
		want      string
	}{"its own": {key, cert, ""}, "another": {otherKey, otherCert, "a different server answers"}} {
		pair, err := tls.X509KeyPair(c.cert, c.key)
		if err != nil {
			t.Fatal(err)
		}
		l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if conn, err := l.Accept(); err == nil {
				_ = conn.(*tls.Conn).Handshake()
				_ = conn.Close()
			}
		}()
		conn, err := tls.Dial("tcp", l.Addr().String(), client)
		if err == nil {
			_ = conn.Close()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		_ = l.Close()
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
