package sockets

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

// Link is an established TCP connection of this network namespace, as one of its ends has it.
type Link struct {
	Inode         uint64
	Local, Remote netip.AddrPort
}

const stateEstablished = 1 << 1 // TCP_ESTABLISHED

// Links returns the established connections. Those that have ended are not looked at, of which a busy machine has many.
func Links() ([]Link, error) {
	var out []Link
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
		b := make([]byte, requestBytes)
		binary.NativeEndian.PutUint32(b, uint32(len(b)))
		binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
		binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
		b[headerBytes], b[headerBytes+1] = family, unix.IPPROTO_TCP
		binary.NativeEndian.PutUint32(b[headerBytes+4:], stateEstablished)
		err := ask(b, func(b []byte) (bool, error) {
			return each(b, func(body []byte) {
				if l, ok := linkOf(body); ok {
					out = append(out, l)
				}
			})
		})
		if err != nil {
			return nil, fmt.Errorf("list TCP connections: %w", err)
		}
	}
	return out, nil
}

func linkOf(b []byte) (Link, bool) {
	if len(b) < messageBytes {
		return Link{}, false
	}
	address := func(at int) netip.Addr {
		if b[0] == unix.AF_INET {
			return netip.AddrFrom4([4]byte(b[at : at+4]))
		}
		return netip.AddrFrom16([16]byte(b[at : at+16])).Unmap()
	}
	return Link{
		Inode:  uint64(binary.NativeEndian.Uint32(b[68:])),
		Local:  netip.AddrPortFrom(address(8), binary.BigEndian.Uint16(b[4:])),
		Remote: netip.AddrPortFrom(address(24), binary.BigEndian.Uint16(b[6:])),
	}, true
}
