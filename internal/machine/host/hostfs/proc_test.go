package hostfs

import "testing"

func TestParseSchedstat(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want any
	}{
		{"390759 107731000 2\n", 0.107731}, {"1 2", nil}, {"1 x 2", nil},
	} {
		got, err := ParseSchedstat([]byte(tt.in))
		if (err == nil) != (tt.want != nil) || tt.want != nil && any(got) != tt.want {
			t.Errorf("%q: %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}
