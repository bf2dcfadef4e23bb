package kafka

import (
	"context"
	"crypto/tls"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
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

// protocolOf says which release's protocol a broker speaks; "" where it does not say. Other brokers than Kafka's speak it too.
func protocolOf(ctx context.Context, admin *kgo.Client) string {
	r := kmsg.NewPtrApiVersionsRequest()
	r.ClientSoftwareName, r.ClientSoftwareVersion = "plimsoll", "1"
	answer, err := r.RequestWith(ctx, admin)
	if err != nil {
		return ""
	}
	return "Kafka " + kversion.FromApiVersionsResponse(answer).VersionGuess()
}
