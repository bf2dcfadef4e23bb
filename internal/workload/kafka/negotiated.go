package kafka

import (
	"crypto/tls"
	"sync/atomic"
)

// noting has each connection note the version of TLS and the cipher suite that were agreed on; nil for plain text. Both sides choose them, so that a runtime or
// a setting that changes who encrypts may change what is encrypted too.
func noting(config *tls.Config, at *atomic.Pointer[string]) *tls.Config {
	if config == nil {
		return nil
	}
	out, check := config.Clone(), config.VerifyConnection
	out.VerifyConnection = func(c tls.ConnectionState) error {
		said := tls.VersionName(c.Version) + ", " + tls.CipherSuiteName(c.CipherSuite)
		at.Store(&said)
		if check == nil {
			return nil
		}
		return check(c)
	}
	return out
}
