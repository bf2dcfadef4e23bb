package kafka

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"plimsoll/internal/base/input"
	"plimsoll/internal/engine"
)

// keystoreFile is the broker's keystore: a private key and its certificates, PEM.
const keystoreFile = "keystore.pem"

// keys puts a key and its certificate into dir, those of given or new ones ("") for this machine and host, and
// returns the path of the certificate that clients should trust.
func keys(dir, host, given string) (string, error) {
	if given == "" {
		if err := engine.SelfSign(dir, host); err != nil {
			return "", err
		}
		key, err := os.ReadFile(filepath.Join(dir, engine.KeyFile))
		if err != nil {
			return "", err
		}
		cert, err := os.ReadFile(engine.CertPath(dir))
		if err != nil {
			return "", err
		}
		return engine.CertPath(dir), os.WriteFile(filepath.Join(dir, keystoreFile), slices.Concat(key, cert), 0o600)
	}
	text, err := keystore(given)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(engine.CertPath(dir), certificates(text), 0o600); err != nil {
		return "", err
	}
	return engine.CertPath(dir), os.WriteFile(filepath.Join(dir, keystoreFile), text, 0o600)
}

// maxKeystore bounds a key with its certificates, in bytes.
const maxKeystore = 1 << 20

// keystore reads the user's keystore; nil if there is none. It returns an error if the broker could not use it.
func keystore(given string) ([]byte, error) {
	if given == "" {
		return nil, nil
	}
	text, err := input.ReadFile(given, maxKeystore)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\nhint: leave it out to generate a key", ParamKeystore, err)
	}
	if err := checkKeystore(text); err != nil {
		return nil, fmt.Errorf("%s=%s: %w\nhint: a PEM file with BEGIN PRIVATE KEY (openssl pkcs8 -topk8 -nocrypt) "+
			"and its certificates; leave it out to generate a key", ParamKeystore, given, err)
	}
	return text, nil
}

// checkKeystore returns an error if the broker could not read it: the broker's own message is a page of Java.
func checkKeystore(text []byte) error {
	if _, err := tls.X509KeyPair(text, text); err != nil {
		return err
	}
	for rest := text; ; {
		block, more := pem.Decode(rest)
		switch {
		case block == nil:
			return fmt.Errorf("it has no PKCS #8 private key")
		case block.Type == "PRIVATE KEY":
			return nil
		}
		rest = more
	}
}

// certificates returns those of a PEM file, without the key.
func certificates(text []byte) []byte {
	var out bytes.Buffer
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			_ = pem.Encode(&out, block) // a buffer never fails
		}
	}
	return out.Bytes()
}
