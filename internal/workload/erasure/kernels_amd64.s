// With this file the compiler accepts functions without a body, which are the library's: kernels_amd64.go.
