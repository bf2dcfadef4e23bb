package engine

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"plimsoll/internal/base/input"
)

// The files that SelfSign writes.
const (
	CertFile = "cert.pem"
	KeyFile  = "key.pem"
)

// certLife is longer than any session: a certificate serves one instance.
const certLife = 30 * 24 * time.Hour

// SelfSign writes a certificate (ECDSA on P-256, for this machine's own names and host) to CertFile, and its key,
// PKCS #8, to KeyFile, both PEM in dir.
func SelfSign(dir, host string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: "plimsoll"},
		NotBefore:    now.Add(-time.Hour), NotAfter: now.Add(certLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = append(template.IPAddresses, ip)
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	if err := writePEM(CertPath(dir), "CERTIFICATE", cert); err != nil {
		return err
	}
	return writePEM(filepath.Join(dir, KeyFile), "PRIVATE KEY", private)
}

// maxPEM bounds a file of certificates; those of a whole system take 0.3 MB.
const maxPEM = 16 << 20

// Trust returns a TLS configuration that trusts only the certificates of a PEM file; nil for no file (""): plain
// text.
func Trust(certificates string) (*tls.Config, error) {
	if certificates == "" {
		return nil, nil
	}
	text, err := input.ReadFile(certificates, maxPEM)
	if err != nil {
		return nil, fmt.Errorf("trusted certificates: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("trusted certificates: %s contains no PEM certificate", certificates)
	}
	return &tls.Config{RootCAs: pool}, nil
}

// Pin returns a TLS configuration that trusts only the server with a PEM file's first certificate, whatever its
// names and dates; nil for no file (""): plain text.
func Pin(certificate string) (*tls.Config, error) {
	if certificate == "" {
		return nil, nil
	}
	text, err := input.ReadFile(certificate, maxPEM)
	if err != nil {
		return nil, fmt.Errorf("trusted certificate: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("trusted certificate: %s does not begin with a PEM certificate", certificate)
	}
	// Our own check compares the bytes, instead of a chain to an authority and a name.
	return &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(c tls.ConnectionState) error {
		if len(c.PeerCertificates) == 0 || !bytes.Equal(c.PeerCertificates[0].Raw, block.Bytes) {
			return errors.New("a different server answers: its certificate differs")
		}
		return nil
	}}, nil
}

// CertPath returns the path of SelfSign's certificate.
func CertPath(dir string) string { return filepath.Join(dir, CertFile) }

func writePEM(path, kind string, der []byte) error {
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		return fmt.Errorf("write a certificate: %w", err)
	}
	return nil
}
