// Package sockets reads the traffic of TCP connections from the kernel.
package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Conn is a TCP connection of this network namespace, and the bytes that it has carried. Both ends of one on this
// machine are connections.
type Conn struct {
	ID              uint64 // unique to the connection while the machine runs
	Port            uint16 // its local one
	Received, Acked uint64 // bytes: received, and sent and acknowledged by the other end
}

// The layout of the kernel's messages (linux/inet_diag.h).
const (
	headerBytes  = unix.SizeofNlMsghdr
	requestBytes = headerBytes + 56
	messageBytes = 72
	extInfo      = 2 // INET_DIAG_INFO
	allStates    = ^uint32(1 << 10)
	bufferBytes  = 64 << 10
)

// Connections returns the connections that there are now, those that listen left out.
func Connections() ([]Conn, error) {
	var out []Conn
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} { // IPv4 on sockets of IPv6 is in the latter
		var err error
		if out, err = dump(out, family); err != nil {
			return nil, fmt.Errorf("list TCP connections: %w", err)
		}
	}
	return out, nil
}

func dump(out []Conn, family uint8) ([]Conn, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	patience := unix.NsecToTimeval(1e9)
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &patience); err != nil {
		return nil, err
	}
	if err := unix.Sendto(fd, request(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, err
	}
	buffer := make([]byte, bufferBytes)
	for {
		n, _, err := unix.Recvfrom(fd, buffer, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var last bool
		if out, last, err = parse(out, buffer[:n]); last || err != nil {
			return out, err
		}
	}
}

// request asks for all connections of a family with their tcp_info.
func request(family uint8) []byte {
	b := make([]byte, requestBytes)
	binary.NativeEndian.PutUint32(b, requestBytes)
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b[headerBytes], b[headerBytes+1], b[headerBytes+2] = family, unix.IPPROTO_TCP, 1<<(extInfo-1)
	binary.NativeEndian.PutUint32(b[headerBytes+4:], allStates)
	return b
}

// parse adds the connections of one answer; last reports that there is no further one.
func parse(out []Conn, b []byte) (all []Conn, last bool, err error) {
	for len(b) >= headerBytes {
		size, kind := int(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint16(b[4:])
		if size < headerBytes || size > len(b) {
			return nil, true, fmt.Errorf("a message of %d bytes in %d", size, len(b))
		}
		switch body := b[headerBytes:size]; kind {
		case unix.NLMSG_DONE:
			return out, true, nil
		case unix.NLMSG_ERROR:
			if len(body) < 4 {
				return nil, true, errors.New("an error without a number")
			}
			return nil, true, unix.Errno(-int32(binary.NativeEndian.Uint32(body)))
		default:
			if c, ok := connOf(body); ok {
				out = append(out, c)
			}
		}
		b = b[min(aligned(size), len(b)):]
	}
	return out, false, nil
}

func aligned(n int) int { return (n + 3) &^ 3 }

// connOf reads a connection. One without tcp_info, which has ended, has no counters any longer.
func connOf(b []byte) (Conn, bool) {
	if len(b) < messageBytes {
		return Conn{}, false
	}
	c := Conn{Port: binary.BigEndian.Uint16(b[4:]), ID: binary.NativeEndian.Uint64(b[44:])}
	for b = b[messageBytes:]; len(b) >= 4; {
		size, kind := int(binary.NativeEndian.Uint16(b)), binary.NativeEndian.Uint16(b[2:])
		if size < 4 || size > len(b) {
			return Conn{}, false
		}
		received := unsafe.Offsetof(unix.TCPInfo{}.Bytes_received)
		if info := b[4:size]; kind == extInfo && len(info) >= int(received)+8 {
			c.Received = binary.NativeEndian.Uint64(info[received:])
			c.Acked = binary.NativeEndian.Uint64(info[unsafe.Offsetof(unix.TCPInfo{}.Bytes_acked):])
			return c, true
		}
		b = b[min(aligned(size), len(b)):]
	}
	return Conn{}, false
}
