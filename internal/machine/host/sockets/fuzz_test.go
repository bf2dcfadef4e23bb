package sockets

import (
	"encoding/binary"
	"testing"
)

// FuzzParse reads anything as the kernel's answer: it has no more connections than messages.
func FuzzParse(f *testing.F) {
	message := make([]byte, headerBytes+messageBytes)
	binary.NativeEndian.PutUint32(message, uint32(len(message)))
	f.Add(message)
	f.Add(append(message, message...))
	f.Add(append(message[:8:8], 3, 0, 0, 0))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if all, _, err := parse(nil, answer); err == nil && len(all) > len(answer)/headerBytes {
			t.Fatalf("%d connections in %d bytes", len(all), len(answer))
		}
	})
}
