package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// anchorsOf returns the anchors of a page's headings, as the forges that show it make them.
func anchorsOf(page string) []string {
	var out []string
	heading, dropped := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		kept := dropped.ReplaceAllString(strings.ToLower(m[1]), "")
		out = append(out, strings.ReplaceAll(kept, " ", "-"))
	}
	return out
}

// deadLink returns why a relative link of a page leads nowhere, "" if it does lead somewhere. The anchors of pages that
// it has read are kept in known.
func deadLink(page, link string, known map[string][]string) string {
	path, anchor, _ := strings.Cut(link, "#")
	at := page
	if path != "" {
		at = filepath.Join(filepath.Dir(page), path)
	}
	if anchor == "" {
		if _, err := os.Stat(at); err != nil {
			return "no such file"
		}
		return ""
	}
	if known[at] == nil {
		text, err := os.ReadFile(at)
		if err != nil {
			return "no such page"
		}
		known[at] = anchorsOf(string(text))
	}
	if !slices.Contains(known[at], anchor) {
		return "no such heading"
	}
	return ""
}

func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLinksLeadSomewhere(t *testing.T) {
	found, known, linked := 0, map[string][]string{}, regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linked.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			found++
			if why := deadLink(page, m[1], known); why != "" {
				t.Errorf("%s: %s: %s", page, m[1], why)
			}
		}
	}
	if found < 50 {
		t.Errorf("found only %d links", found)
	}
}
