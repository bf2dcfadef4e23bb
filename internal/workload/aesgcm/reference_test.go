package aesgcm

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"
)

// Test cases 2 and 14 of McGrew and Viega, The Galois/Counter Mode of Operation.
func TestReferenceIsAESGCM(t *testing.T) {
	for keyLen, want := range map[int]string{
		16: "0388dace60b6a392f328c2b971b2fe78" + "ab6e47d42cec13bdf53a67b21257bddf",
		32: "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919",
	} {
		aead, err := referenceAEAD(make([]byte, keyLen))
		if err != nil {
			t.Fatal(err)
		}
		got := hex.EncodeToString(aead.Seal(nil, make([]byte, nonceSize), make([]byte, 16), nil))
		if got != want {
			t.Errorf("key of %d bytes: %s, want %s", keyLen, got, want)
		}
	}
}

func TestOpenDARERefuses(t *testing.T) {
	const pkg = dareHeader + darePayload + tagSize
	for name, damage := range map[string]func([]byte) []byte{
		"nothing":           func([]byte) []byte { return nil },
		"cut in a package":  func(s []byte) []byte { return s[:len(s)-1] },
		"without its end":   func(s []byte) []byte { return s[:2*pkg] },
		"without its start": func(s []byte) []byte { return s[pkg:] },
		"packages swapped": func(s []byte) []byte {
			return bytes.Join([][]byte{s[pkg : 2*pkg], s[:pkg], s[2*pkg:]}, nil)
		},
		"more after the end": func(s []byte) []byte { return append(s, s[2*pkg:]...) },
		"version 1.0":        func(s []byte) []byte { s[0] = 0x10; return s },
		"another cipher":     func(s []byte) []byte { s[1] = 1; return s },
		"a changed payload":  func(s []byte) []byte { s[pkg+dareHeader] ^= 1; return s },
		"a changed header":   func(s []byte) []byte { s[pkg+2] ^= 1; return s },
	} {
		t.Run(name, func(t *testing.T) {
			l := made(t, map[string]string{"library": librarySIO, "op": opOpen, "size": "150000B"})
			key := l.codec.(*dare).key
			if _, err := openDARE(key, l.buffers.src); err != nil {
				t.Fatalf("before: %v", err)
			}
			if _, err := openDARE(key, damage(bytes.Clone(l.buffers.src))); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestOpenDARENamesTheFormat(t *testing.T) {
	if _, err := openDARE(make([]byte, 32), make([]byte, 100)); !errors.Is(err, errDARE) {
		t.Errorf("got %v", err)
	}
}
