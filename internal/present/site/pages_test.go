package site

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"plimsoll/internal/present/media/html"
)

// TestTableLibraryIsWhole: what was fetched is as it was fetched.
func TestTableLibraryIsWhole(t *testing.T) {
	sums, err := fs.ReadFile(html.Assets, tables+"SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		text, err := fs.ReadFile(html.Assets, tables+name)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sum {
			t.Errorf("%s has the sum %s, not %s: scripts/vendor-assets fetches it anew", name, got, sum)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d files have a sum, want the code, the style and the licence", len(lines))
	}
}

// TestAssets: each file that the explorer names is there, with its type, and names no other host.
func TestAssets(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	types := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8", ".html": "text/html; charset=utf-8"}
	named := regexp.MustCompile(`"(?:/assets/|\./)([a-z.-]+)"`)
	for name := range servedAssets() {
		got := s.ask("GET", "/assets/"+name)
		if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != types[name[strings.LastIndex(name, "."):]] {
			t.Errorf("%s: status %d, %s", name, got.StatusCode, got.Header.Get("Content-Type"))
		}
		if strings.HasPrefix(name, "t") || strings.HasPrefix(name, "uplot") || strings.HasSuffix(name, ".txt") {
			continue // libraries and licences
		}
		for _, m := range named.FindAllStringSubmatch(got.body, -1) {
			if got := s.ask("GET", "/assets/"+m[1]); got.StatusCode != http.StatusOK ||
				got.Header.Get("Content-Type") != types[m[1][strings.LastIndex(m[1], "."):]] {
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
		if strings.Contains(strings.ReplaceAll(got.body, "http://www.w3.org/2000/svg", ""), "://") {
			t.Errorf("%s names another host", name)
		}
		for _, banned := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("} {
			if strings.Contains(got.body, banned) {
				t.Errorf("%s has %s: names come from anywhere", name, banned)
			}
		}
	}
}
