package render

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"plimsoll/internal/present/media/html"
)

// TestReportIsSmall: a page of every kind of drawing can be sent by mail.
func TestReportIsSmall(t *testing.T) {
	const most = 1 << 20
	for name, p := range map[string]Page{"every kind": wholePage(), "nothing": {Title: "empty"}} {
		text := reportText(t, p)
		t.Logf("%s: %d bytes", name, len(text))
		if len(text) > most {
			t.Errorf("%s: the page has %d bytes, more than %d", name, len(text), most)
		}
	}
	if long := len(reportText(t, Page{OverTime: longTrack(100_000)})); long > most {
		t.Errorf("the page of a hundred thousand seconds has %d bytes, more than %d", long, most)
	}
}

// TestLibraryIsWhole: what was fetched is as it was fetched.
func TestLibraryIsWhole(t *testing.T) {
	library, err := fs.Sub(html.Assets, strings.TrimSuffix(html.Library, "/"))
	if err != nil {
		t.Fatal(err)
	}
	if n := wholeFiles(t, library); n != 3 {
		t.Errorf("%d files have a sum, want the code, the style and the licence", n)
	}
	if n := wholeFiles(t, os.DirFS(axeFolder)); n != 3 {
		t.Errorf("%d files of axe-core have a sum, want the code and two licences", n)
	}
}

// TestLicenceIsInThePage, as it asks of every copy.
func TestLicenceIsInThePage(t *testing.T) {
	text := reportText(t, page())
	for _, want := range []string{"Permission is hereby granted", "Copyright (c) 2022 Leon Sorokin", html.LibraryName} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
