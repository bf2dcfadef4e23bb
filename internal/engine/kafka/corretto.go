package kafka

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
)

// mostLibrary bounds the native library of a provider, which has about 8 MiB.
const mostLibrary = 64 << 20

// cryptoLibrary returns the name and version of the library that the provider's jar brings and encrypts by: AWS-LC, or
// OpenSSL before its version 2. Nothing asks it for them, but they stand in its text; "" if they do not.
func cryptoLibrary(jar string) (string, error) {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return "", fmt.Errorf("read the library of the Corretto crypto provider: %w", err)
	}
	defer z.Close()
	for _, f := range z.File {
		if base := path.Base(f.Name); !strings.HasPrefix(base, "lib") || !strings.Contains(base, ".so") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return "", fmt.Errorf("read %s of %s: %w", f.Name, jar, err)
		}
		text, err := io.ReadAll(io.LimitReader(in, mostLibrary))
		if err := errors.Join(err, in.Close()); err != nil {
			return "", fmt.Errorf("read %s of %s: %w", f.Name, jar, err)
		}
		if found := libraryIn(text); found != "" {
			return found, nil
		}
	}
	return "", nil
}

// libraryIn finds the version that a library of cryptography states of itself, such as "AWS-LC 1.30.1" or "OpenSSL
// 1.1.1k".
func libraryIn(text []byte) string {
	version := regexp.MustCompile(`^(AWS-LC|OpenSSL)( FIPS)? [0-9]+\.[0-9]+\.[0-9]+[a-z]?`)
	for _, name := range []string{"AWS-LC", "OpenSSL"} {
		for at := 0; ; at++ {
			i := bytes.Index(text[at:], []byte(name))
			if i < 0 {
				break
			}
			at += i
			const longest = 40
			if found := version.Find(text[at:min(len(text), at+longest)]); found != nil {
				return string(found)
			}
		}
	}
	return ""
}
