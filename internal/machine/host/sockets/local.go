package sockets

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// The layout of the kernel's messages about UNIX sockets (linux/unix_diag.h).
const (
	localRequestBytes = headerBytes + 24
	localMessageBytes = 16
	localConnected    = 1 << 1 // TCP_ESTABLISHED
	showPeer          = 4      // UDIAG_SHOW_PEER
	attributePeer     = 2      // UNIX_DIAG_PEER
)

// Peers returns the inode of the other end of each connected UNIX socket of this network namespace, by inode.
func Peers() (map[uint64]uint64, error) {
	b := make([]byte, localRequestBytes)
	binary.NativeEndian.PutUint32(b, uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b[headerBytes] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(b[headerBytes+4:], localConnected)
	binary.NativeEndian.PutUint32(b[headerBytes+12:], showPeer)
	out := map[uint64]uint64{}
	err := ask(b, func(b []byte) (bool, error) {
		return each(b, func(body []byte) {
			if inode, peer, ok := peerOf(body); ok {
				out[inode] = peer
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list UNIX sockets: %w", err)
	}
	return out, nil
}

func peerOf(b []byte) (inode, peer uint64, ok bool) {
	if len(b) < localMessageBytes {
		return 0, 0, false
	}
	inode = uint64(binary.NativeEndian.Uint32(b[4:]))
	for b = b[localMessageBytes:]; len(b) >= 4; {
		size, kind := int(binary.NativeEndian.Uint16(b)), binary.NativeEndian.Uint16(b[2:])
		if size < 4 || size > len(b) {
			return 0, 0, false
		}
		if kind == attributePeer && size >= 8 {
			return inode, uint64(binary.NativeEndian.Uint32(b[4:])), true
		}
		b = b[min(aligned(size), len(b)):]
	}
	return 0, 0, false
}
