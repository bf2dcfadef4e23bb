package s3

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"

	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/serveruse"
)

// member is the server of this host, of an erasure set with one on each of several.
type member struct{ *server }

var _ workload.Member = member{}

// Start implements workload.Server: all servers of the erasure set are ready then.
func (m member) Start(ctx context.Context) (string, error) {
	address, err := m.server.Start(ctx)
	if err != nil {
		return "", err
	}
	i := m.running.Instance.(*store.Instance)
	if err := m.reached(ctx, i.Drives()); err != nil {
		return "", err
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return "", fmt.Errorf("%s: the store's address: %w", Name, err)
	}
	use := serveruse.Server{Name: fmt.Sprintf("node.%d", m.layout.Self), PID: i.PID(),
		Clients: at.Port(), Others: m.layout.Others()}
	m.meter = serveruse.Begin(func() []serveruse.Server { return []serveruse.Server{use} })
	return address, nil
}

// Place implements workload.Member.
func (m member) Place(ctx context.Context) (string, error) {
	if err := m.place(ctx); err != nil {
		return "", err
	}
	return workload.PlaceText(m.engine.Place(m.settings))
}

// At implements workload.Member.
func (m member) At(place string) (netip.Addr, error) {
	var p store.Place
	if err := json.Unmarshal([]byte(place), &p); err != nil {
		return netip.Addr{}, fmt.Errorf("%s: read where a server is: %w", Name, err)
	}
	return netip.ParseAddr(p.Address)
}

// Join implements workload.Member.
func (m member) Join(at workload.Places) error {
	l, err := store.Join(at.Self, at.All)
	if err != nil {
		return err
	}
	m.layout, m.engine.Layout = &l, &l
	return nil
}
