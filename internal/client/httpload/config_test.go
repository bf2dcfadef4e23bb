package httpload

import (
	"slices"

	"strings"
	"testing"
)

func TestRefusedConfigurations(t *testing.T) {
	for want, c := range map[string]Config{
		"no URL":                      {},
		"unsupported protocol 3":      {URLs: []string{"http://127.0.0.1/"}, Protocol: "3"},
		"several streams":             {URLs: []string{"http://127.0.0.1/"}, Streams: 2},
		"are HTTP/1.1's":              {URLs: []string{"http://127.0.0.1/"}, Protocol: HTTP2, Once: true},
		"2 weights for 1":             {URLs: []string{"http://127.0.0.1/"}, Weights: []int{1, 2}},
		"a weight of 0":               {URLs: []string{"http://127.0.0.1/"}, Weights: []int{0}},
		"the zone of":                 {URLs: []string{"http://[fe80::1%25nosuch0]/"}},
		"http.protocol=2":             {URLs: []string{"h2c://x/"}},
		"unsupported scheme":          {URLs: []string{"localhost:80"}},
		"names no host":               {URLs: []string{"http:///path"}},
		"two servers":                 {URLs: []string{"http://127.0.0.1:1/", "http://127.0.0.1:2/"}},
		"is not a method":             {URLs: []string{"http://127.0.0.1/"}, Method: "GE T"},
		"are not supported":           {URLs: []string{"http://127.0.0.1/"}, Method: "CONNECT"},
		"is not a header":             {URLs: []string{"http://127.0.0.1/"}, Header: []string{"X Y: z"}},
		"is set automatically":        {URLs: []string{"http://127.0.0.1/"}, Header: []string{"Content-Length: 3"}},
		"from 1 to 65535":             {URLs: []string{"http://127.0.0.1:99999/"}},
		"with a user":                 {URLs: []string{"http://a:b@127.0.0.1/"}},
		"timeout -1ns":                {URLs: []string{"http://127.0.0.1/"}, Timeout: -1},
		"cannot resolve no-such.test": {URLs: []string{"http://no-such.test./"}},
	} {
		if _, err := New(c); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "no-such.test.", "no-such.test"),
			want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// TestWeights: URLs have the requested frequencies, in an order that the seed fixes.
func TestWeights(t *testing.T) {
	order, err := shuffled([]int{1, 3, 6}, 3, 5)
	if err != nil {
		t.Fatal(err)
	}
	var count [3]int
	for _, i := range order {
		count[i]++
	}
	if count[1] != 3*count[0] || count[2] != 6*count[0] || len(order) < 4096 {
		t.Errorf("%v of %d", count, len(order))
	}
	same, _ := shuffled([]int{1, 3, 6}, 3, 5)
	other, _ := shuffled([]int{1, 3, 6}, 3, 6)
	if !slices.Equal(order, same) || slices.Equal(order, other) || slices.IsSorted(order) {
		t.Error("the order does not follow the seed")
	}
}

// TestQueue: first in, first out, and any can be taken out.
func TestQueue(t *testing.T) {
	var q queue
	all := make([]stream, 5)
	for i := range all {
		q.push(&all[i])
	}
	q.remove(&all[2])
	q.remove(&all[0])
	q.remove(&all[4])
	q.push(&all[2])
	for _, want := range []int{1, 3, 2} {
		if c := q.pop(); c != &all[want] {
			t.Fatalf("not %d", want)
		}
	}
	if q.n != 0 || q.first != nil || q.last != nil {
		t.Errorf("left: %d", q.n)
	}
}
