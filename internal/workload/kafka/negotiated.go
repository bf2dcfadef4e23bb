package kafka

import (
	"crypto/tls"
	"sync/atomic"
)

// noting makes each connection record the negotiated TLS version and cipher suite; it returns nil for plain text.
// Both sides choose them, so that a change of a runtime or setting may also change the encryption.
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
