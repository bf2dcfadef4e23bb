package aesgcm

import (
	"bytes"
	"testing"

	"plimsoll/internal/base/simtest"
)

// The sizes stand on both sides of a DARE package and of a read block.
func TestVerifyAcceptsEverySize(t *testing.T) {
	sizes := []string{"1KiB", "1025B", "65535B", "64KiB", "65537B", "1048064B", "1MiB", "1048577B", "1300000B"}
	if simtest.Emulated() {
		sizes = sizes[:5]
	}
	for name, set := range every() {
		for _, size := range sizes {
			t.Run(name+" "+size, func(t *testing.T) {
				l := made(t, with(set, "size", size))
				if err := l.run(2); err != nil {
					t.Fatal(err)
				}
				if err := l.verify(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	for name, set := range every() {
		for _, size := range []string{"1KiB", "1300000B"} {
			for what, damage := range map[string]func(*lane){
				"first byte of the output": func(l *lane) { l.buffers.dst[0] ^= 1 },
				"source":                   func(l *lane) { l.buffers.src[len(l.buffers.src)/2] ^= 0x10 },
				"another plaintext":        func(l *lane) { l.plain = newMaterial(resolved(t, set), 8, 0).plain },
			} {
				t.Run(name+" "+size+" "+what, func(t *testing.T) {
					l := made(t, with(set, "size", size))
					damage(l)
					if err := l.verify(); err == nil {
						t.Error("verify found nothing")
					}
				})
			}
		}
	}
}

func TestVerifyFindsLibraryThatOpensAnything(t *testing.T) {
	for name, set := range every() {
		t.Run(name, func(t *testing.T) {
			l := made(t, set)
			l.codec = gullible{l.codec}
			if err := l.verify(); err == nil {
				t.Error("verify found nothing")
			}
		})
	}
}

// gullible is a codec that does not authenticate.
type gullible struct{ codec }

func (gullible) decrypt(stream []byte) ([]byte, error) { return stream, nil }

func TestOpenStopsAtDamagedSource(t *testing.T) {
	for name, set := range every() {
		if set["op"] != opOpen {
			continue
		}
		t.Run(name, func(t *testing.T) {
			l := made(t, set)
			l.buffers.src[len(l.buffers.src)-1] ^= 1
			if err := l.run(1); err == nil {
				t.Error("a damaged source was opened")
			}
		})
	}
}

func TestEverySealHasItsOwnNonce(t *testing.T) {
	for name, set := range every() {
		if set["op"] != opSeal {
			continue
		}
		t.Run(name, func(t *testing.T) {
			l := made(t, set)
			seen := [][]byte{}
			for range 20 {
				if err := l.run(1); err != nil {
					t.Fatal(err)
				}
				for i, before := range seen {
					if bytes.Equal(before, l.buffers.dst) {
						t.Fatalf("operations %d and %d gave the same ciphertext", i, len(seen))
					}
				}
				seen = append(seen, bytes.Clone(l.buffers.dst))
			}
		})
	}
}
