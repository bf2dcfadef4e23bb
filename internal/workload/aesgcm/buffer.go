package aesgcm

import "plimsoll/internal/workload/kernel"

// buffers is one lane's memory.
type buffers struct {
	memory   *kernel.Memory
	src, dst []byte
}

// newBuffers maps a source and a destination of these lengths in bytes and
// touches every page from the calling thread.
func newBuffers(src, dst int) (*buffers, error) {
	m, err := kernel.Map(src, dst)
	if err != nil {
		return nil, err
	}
	return &buffers{m, m.Parts[0], m.Parts[1]}, nil
}

func (b *buffers) free() error {
	b.src, b.dst = nil, nil
	return b.memory.Free()
}
