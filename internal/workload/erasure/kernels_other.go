//go:build !amd64

package erasure

// kernels returns none: GFNI is an extension of x86.
func (a abilities) kernels() (kernels, bool) { return kernels{}, false }
