package kafka

import (
	"errors"
	"net"
	"strings"
	"testing"

	"plimsoll/internal/workload"
)

// TestAdvertisedAddressesAreTheTargets: a client of a target's brokers goes nowhere else, whatever they advertise.
func TestAdvertisedAddressesAreTheTargets(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.5:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	other, port := l.Addr().String(), strings.TrimPrefix(l.Addr().String(), "127.0.0.5")
	dial := func(a address, at string) error {
		c, err := a.dialer(1e9)(t.Context(), "tcp", at)
		if err == nil {
			c.Close()
		}
		return err
	}
	ours := onTarget("127.0.0.1:1 127.0.0.2:1", workload.Params{})
	if err := dial(ours, other); err == nil || !strings.Contains(err.Error(), "which is not the target's") {
		t.Errorf("elsewhere: %v", err)
	}
	if err := dial(ours, "127.0.0.2"+port); err == nil || strings.Contains(err.Error(), "target's") {
		t.Errorf("its second host, at another port: %v", err)
	}
	if err := dial(address{seeds: []string{"127.0.0.1:1"}}, other); err != nil {
		t.Errorf("the user's brokers: %v", errors.Unwrap(err))
	}
}
