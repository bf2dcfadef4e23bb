package s3

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestPages: a listing is all its pages, however few keys the store puts into one. A page that is cut and names no next
// one is an error with that reason, not a lost object.
func TestPages(t *testing.T) {
	for _, untold := range []bool{false, true} {
		s := newTestStore()
		s.page = 7
		p := params(s.start(t), record.Params{paramOps: "list", paramObjects: "20"})
		s.untold = untold
		got := run(t, p, closedLoop(2), 150*time.Millisecond)
		text := fmt.Sprint(got.first, got.verified)
		if !untold && (got.prepared != nil || got.run != nil || got.Ops == 0 || text != "<nil> <nil>" || got.closed != nil ||
			len(s.objects) > 0) {
			t.Errorf("%v, %v, %d operations, %s, %v, %d objects are left", got.prepared, got.run, got.Ops, text, got.closed,
				len(s.objects))
		}
		if untold && (got.Ops > 0 || strings.Count(text, "gives no NextContinuationToken") != 2) {
			t.Errorf("%d operations, %s", got.Ops, text)
		}
	}
}

// TestElement: the text of an element is found wherever an answer is cut.
func TestElement(t *testing.T) {
	for text, want := range map[string]string{"<a><Key>1</Key></a>": "1", "<Ke<Key>y&amp;</Key><Key>2</Key>": "y&amp;",
		"<Key></Key>": "", "<Keys>1</Keys>": "", "<Key>": "", "": ""} {
		for size := 1; size <= len(text); size++ {
			var e element
			e.begin(keyMark)
			for part := range slices.Chunk([]byte(text), size) {
				e.feed(part)
			}
			if string(e.text) != want {
				t.Errorf("%s in pieces of %d: %q, want %q", text, size, e.text, want)
			}
		}
	}
}

// TestEndlessPages: a store whose listing never ends is left.
func TestEndlessPages(t *testing.T) {
	var p pager
	p.begin()
	for range mostPages {
		p.feed([]byte("<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>"))
		if !p.end() {
			break
		}
		p.turn()
	}
	if p.err == nil {
		t.Error("no end")
	}
}
