// Package aesgcm is the workload that encrypts and decrypts as MinIO does, on one lane a CPU.
// Library gcm is AES-GCM of Go's standard library, one message an operation. Library sio is github.com/minio/sio,
// one object an operation: a DARE 2.0 stream of AES-256-GCM packages of 64 KiB, made with EncryptReader and undone
// with DecryptReader, configured as MinIO's newEncryptReader and newDecryptReaderWithObjectKey do, and read in
// blocks of at most 1 MiB as its erasure coder does. MinIO names the cipher itself: sio's own choice on arm64 would
// be ChaCha20-Poly1305. Unlike MinIO, the nonce is a counter, so that a seed gives the same bytes everywhere.
// The buffers are those of the libraries' own benchmarks: one source and one separate destination, reused by every
// operation. An operation touches size twice (sio: size, and at most 1 MiB): small sizes stay in the caches, large
// ones stream from DRAM. Memory traffic is plaintext and ciphertext, with tags and package headers, each read or
// written once.
// Every key is used by one lane only. An opening lane opens the one message that it sealed when it was made, so its
// nonce does not change.
package aesgcm
