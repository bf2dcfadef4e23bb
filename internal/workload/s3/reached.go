package s3

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"time"

	store "plimsoll/internal/engine/minio"
)

// The probes of an erasure set's drives. A server of MinIO looks for drives that it has missed every 15 s.
const (
	reachedWithin = 60 * time.Second
	probeEvery    = 250 * time.Millisecond
	probePrefix   = "plimsoll-probe-"
)

// reached returns once each server of the erasure set writes to all drives of this host. A server is ready once it has
// enough drives for a write. Objects that are written before it has all of them lack a part, and a server that misses
// other drives may not find them.
func (m member) reached(ctx context.Context, drives []string) error {
	var secure *tls.Config
	if m.settings.Params.Bool(store.ParamTLS) { // certificates were made for this run, and requests contain no secret
		secure = &tls.Config{InsecureSkipVerify: true}
	}
	ctx, cancel := context.WithTimeout(ctx, reachedWithin)
	defer cancel()
	for _, address := range m.layout.Addrs() {
		c := newClient(startedAt(m.params, address, m.engine.Keys), secure, timeoutOf(m.params), 1)
		err := reachedBy(ctx, c, drives)
		c.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// reachedBy returns once one server writes to all of these drives.
func reachedBy(ctx context.Context, c *client, drives []string) error {
	for {
		err := probe(ctx, c, drives)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: the server at %s doesn't write to all drives of this host %v after the start: %w\n"+
				"hint: each host needs to reach the addresses of the others: is there a firewall?", Name, c.host, reachedWithin,
				err)
		case <-time.After(probeEvery):
		}
	}
}

// probe writes an object and removes it. It returns an error if a drive had no part of the object.
func probe(ctx context.Context, c *client, drives []string) error {
	key := probePrefix + rand.Text()
	if err := c.put(ctx, key, nil, sums{}); err != nil {
		return err
	}
	var missing error
	for _, drive := range drives {
		if _, err := os.Stat(filepath.Join(drive, ownBucket, key)); err != nil && missing == nil {
			missing = fmt.Errorf("%s has no part of an object", filepath.Base(drive))
		}
	}
	if err := c.remove(ctx, key); err != nil {
		return err
	}
	return missing
}
