package aesgcm

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// The code paths of Go's AES-GCM. There are no others: Go 1.26 has neither VAES nor AVX-512 code for amd64, nor EOR3
// code for arm64, so a CPU with these takes the same path as one without.
const (
	pathAMD64   = "aes-ni+pclmulqdq"
	pathARM64   = "aes+pmull"
	pathGeneric = "generic"
)

// path returns the code path taken here, by the condition of crypto/internal/fips140/aes/gcm (gcm_asm.go,
// supportsAESGCM). Package cpu obeys GODEBUG=cpu.aes=off as crypto does; other detectors do not.
func path() string {
	switch {
	case runtime.GOARCH == "amd64" && cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3:
		return pathAMD64
	case runtime.GOARCH == "arm64" && cpu.ARM64.HasAES && cpu.ARM64.HasPMULL:
		return pathARM64
	}
	return pathGeneric
}
