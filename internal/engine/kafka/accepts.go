package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"plimsoll/internal/engine"
)

// TLS returns the configuration for clients; nil: plain text. A user's keystore is seldom for the address at which
// this machine reaches itself.
func (i *Instance) TLS() (*tls.Config, error) { return engine.Pin(i.Certificate()) }

// acceptsWithin bounds the time from listening to joining the cluster.
const acceptsWithin = time.Minute

var errIncomplete = errors.New("the cluster does not list all of its brokers")

// accepts waits until all brokers are in the cluster's own list: they listen before the controller admits them. One
// that ends meanwhile is its error.
func (i *Instance) accepts(ctx context.Context) error {
	secure, err := i.TLS()
	if err != nil {
		return err
	}
	if i.members > len(i.brokers) && secure != nil {
		secure = &tls.Config{InsecureSkipVerify: true} // the others have keys of their own, and nothing secret is said
	}
	opts := []kgo.Opt{kgo.SeedBrokers(i.Addrs()...), kgo.RequestRetries(0), kgo.DialTimeout(5 * time.Second),
		kgo.DisableClientMetrics()}
	if secure != nil {
		opts = append(opts, kgo.DialTLSConfig(secure))
	}
	c, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	defer c.Close()
	ctx, end := engine.Alive(ctx, i.started()...)
	defer end()
	for deadline := time.Now().Add(acceptsWithin); ; time.Sleep(20 * time.Millisecond) {
		r := kmsg.NewPtrMetadataRequest()
		r.Topics = []kmsg.MetadataRequestTopic{}
		answer, err := r.RequestWith(ctx, c)
		if err == nil && len(answer.Brokers) >= i.members {
			return nil
		}
		if err == nil {
			err = errIncomplete
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not all brokers joined their cluster within %v of listening: %w", acceptsWithin, err)
		}
	}
}
