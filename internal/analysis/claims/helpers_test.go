package claims

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"plimsoll/examples"
	"plimsoll/internal/machine/catalog"
)

func embeddedCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// published are the tables that are built in.
func published(t testing.TB) []File {
	t.Helper()
	names, err := fs.Glob(examples.Files(), "*/*.csv")
	if err != nil || len(names) != 16 {
		t.Fatalf("the articles' tables: %v, %v", names, err)
	}
	var out []File
	for _, name := range names {
		text, err := fs.ReadFile(examples.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, File{name, text})
	}
	return out
}

func check(t testing.TB, files ...File) Report {
	t.Helper()
	report, err := Check(files, nil, embeddedCatalog(t))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func find(t testing.TB, r Report, id string) Claim {
	t.Helper()
	at := slices.IndexFunc(r.Claims, func(c Claim) bool { return c.ID == id })
	if at < 0 {
		t.Fatalf("no claim %s", id)
	}
	return r.Claims[at]
}

// edited replaces one text in the one table that has it.
func edited(t testing.TB, files []File, old, new string) []File {
	t.Helper()
	out, changed := slices.Clone(files), 0
	for i, f := range out {
		if n := strings.Count(string(f.Text), old); n > 0 {
			changed += n
			out[i].Text = []byte(strings.Replace(string(f.Text), old, new, 1))
		}
	}
	if changed != 1 {
		t.Fatalf("%q stands %d times in the tables, want once", old, changed)
	}
	return out
}
