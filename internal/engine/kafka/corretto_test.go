package kafka

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
)

// TestCryptoLibrary: the library inside of the provider's jar is named by what it states of itself, among other
// mentions of its name; one that states nothing has no name, and what is no jar is an error.
func TestCryptoLibrary(t *testing.T) {
	const lib = "com/amazon/corretto/crypto/provider/libamazonCorrettoCryptoProvider.so"
	jar := func(name, text string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "a.jar")
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z := zip.NewWriter(f)
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, c := range []struct{ name, text, want string }{
		{lib, "\x00OpenSSL internal error\x00AWS-LC is\x00AWS-LC 1.30.1\x00", "AWS-LC 1.30.1"},
		{lib, "\x00OpenSSL internal error\x00OpenSSL 1.1.1k  25 Mar 2021\x00", "OpenSSL 1.1.1k"},
		{lib, "AWS-LC FIPS 2.0.17", "AWS-LC FIPS 2.0.17"},
		{lib, "nothing", ""},
		{"META-INF/MANIFEST.MF", "AWS-LC 1.30.1", ""},
	} {
		if got, err := cryptoLibrary(jar(c.name, c.text)); err != nil || got != c.want {
			t.Errorf("%q: %q, %v, want %q", c.text, got, err, c.want)
		}
	}
	if _, err := cryptoLibrary(filepath.Join(t.TempDir(), "none.jar")); err == nil {
		t.Error("no jar is read")
	}
}
