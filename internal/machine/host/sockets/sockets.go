// Package sockets reads the traffic of TCP connections from the kernel.
package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Conn is a TCP connection of this network namespace, and the bytes that it has carried. Both ends of one on this
// machine are connections.
type Conn struct {
	ID              uint64 // unique to the connection while the machine runs
	Port            uint16 // its local one
	Remote          netip.AddrPort
	Received, Acked uint64 // bytes: received, and sent and acknowledged by the other end
}

// The layout of the kernel's messages (linux/inet_diag.h).
const (
	headerBytes  = unix.SizeofNlMsghdr
	requestBytes = headerBytes + 56
	messageBytes = 72
	extInfo      = 2  // INET_DIAG_INFO
	reqBytecode  = 1  // INET_DIAG_REQ_BYTECODE
	opJump       = 1  // INET_DIAG_BC_JMP
	opPortIs     = 11 // INET_DIAG_BC_S_EQ, since Linux 4.16
	opRemoteIs   = 12 // INET_DIAG_BC_D_EQ, since Linux 4.16
	allStates    = ^uint32(1 << 10)
	bufferBytes  = 64 << 10
)

// Connections returns the connections of these local ports that there are now, those that listen left out. The kernel
// chooses them, so that the cost does not grow with what else the machine talks to.
func Connections(ports ...uint16) ([]Conn, error) { return at(opPortIs, ports) }

// ConnectionsTo returns the connections to these ports of any machine, in the same way.
func ConnectionsTo(ports ...uint16) ([]Conn, error) { return at(opRemoteIs, ports) }

// at returns the connections that have one of these ports at the end that op compares.
func at(op uint8, ports []uint16) ([]Conn, error) {
	if len(ports) == 0 {
		return nil, nil
	}
	var out []Conn
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} { // IPv4 on sockets of IPv6 is in the latter
		var err error
		if out, err = dump(out, family, op, ports); err != nil {
			return nil, fmt.Errorf("list TCP connections: %w", err)
		}
	}
	return out, nil
}

func dump(out []Conn, family, op uint8, ports []uint16) ([]Conn, error) {
	err := ask(request(family, op, ports), func(b []byte) (last bool, err error) {
		out, last, err = parse(out, b)
		return last, err
	})
	return out, err
}

// ask sends a request to the kernel, and takes its answers until the last one.
func ask(request []byte, take func([]byte) (last bool, err error)) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	patience := unix.NsecToTimeval(1e9)
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &patience); err != nil {
		return err
	}
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	buffer := make([]byte, bufferBytes)
	for {
		n, _, err := unix.Recvfrom(fd, buffer, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		if last, err := take(buffer[:n]); last || err != nil {
			return err
		}
	}
}

// request asks for the connections of a family at these ports, with their tcp_info.
func request(family, op uint8, ports []uint16) []byte {
	b := append(make([]byte, requestBytes), filter(op, ports)...)
	binary.NativeEndian.PutUint32(b, uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b[headerBytes], b[headerBytes+1], b[headerBytes+2] = family, unix.IPPROTO_TCP, 1<<(extInfo-1)
	binary.NativeEndian.PutUint32(b[headerBytes+4:], allStates)
	return b
}

// filter returns the attribute INET_DIAG_REQ_BYTECODE that accepts a connection if its port, local or remote by the
// operation compares, is one of these.
func filter(compares uint8, ports []uint16) []byte {
	const attributeBytes, opBytes = 4, 4
	var b []byte
	op := func(code, yes uint8, no int) {
		b = binary.NativeEndian.AppendUint16(append(b, code, yes), uint16(no))
	}
	size := attributeBytes + len(ports)*3*opBytes - opBytes
	b = binary.NativeEndian.AppendUint16(b, uint16(size))
	b = binary.NativeEndian.AppendUint16(b, reqBytecode)
	for i, port := range ports {
		op(compares, 2*opBytes, 3*opBytes) // of the last port: beyond the end, which refuses
		op(0, 0, int(port))
		if i < len(ports)-1 {
			op(opJump, opBytes, size-len(b)) // to the end, which accepts
		}
	}
	return b
}

// parse adds the connections of one answer; last reports that there is no further one.
func parse(out []Conn, b []byte) (all []Conn, last bool, err error) {
	last, err = each(b, func(body []byte) {
		if c, ok := connOf(body); ok {
			out = append(out, c)
		}
	})
	if err != nil {
		return nil, true, err
	}
	return out, last, nil
}

// each hands out the bodies of an answer's messages; last reports that there is no further answer.
func each(b []byte, take func(body []byte)) (last bool, err error) {
	for len(b) >= headerBytes {
		size, kind := int(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint16(b[4:])
		if size < headerBytes || size > len(b) {
			return true, fmt.Errorf("a message of %d bytes in %d", size, len(b))
		}
		switch body := b[headerBytes:size]; kind {
		case unix.NLMSG_DONE:
			return true, nil
		case unix.NLMSG_ERROR:
			if len(body) < 4 {
				return true, errors.New("an error without a number")
			}
			return true, unix.Errno(-int32(binary.NativeEndian.Uint32(body)))
		default:
			take(body)
		}
		b = b[min(aligned(size), len(b)):]
	}
	return false, nil
}

func aligned(n int) int { return (n + 3) &^ 3 }

// connOf reads a connection. One without tcp_info, which has ended, has no counters any longer.
func connOf(b []byte) (Conn, bool) {
	if len(b) < messageBytes {
		return Conn{}, false
	}
	c := Conn{Port: binary.BigEndian.Uint16(b[4:]), ID: binary.NativeEndian.Uint64(b[44:])}
	if l, ok := linkOf(b); ok {
		c.Remote = l.Remote
	}
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
