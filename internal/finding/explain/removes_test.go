package explain

import (
	"testing"

	"plimsoll/internal/record"
)

// TestOneChange: two levels of one factor are one change, those of two factors are none.
func TestOneChange(t *testing.T) {
	keysOf := func(settings, provider string) map[string]string {
		return map[string]string{
			"kafka.broker.settings": settings, record.FactorPrefix + "kafka.broker.settings": settings,
			"kafka.broker.provider": provider, record.FactorPrefix + "kafka.broker.provider": provider,
		}
	}
	trial := func(keys map[string]string) record.Trial {
		keys[record.KeyWorkload] = "kafka"
		return record.Trial{Keys: keys}
	}
	from := trial(keysOf("gzip", "jdk"))
	for _, c := range []struct {
		to   record.Trial
		want string
	}{
		{trial(keysOf("producer", "jdk")), "broker.settings=producer"},
		{trial(keysOf("gzip", "corretto")), "broker.provider=corretto"},
		{trial(keysOf("producer", "corretto")), ""},
	} {
		if change, ok := oneChange(from, c.to); change != c.want || ok != (c.want != "") {
			t.Errorf("got %q, %t, want %q", change, ok, c.want)
		}
	}
}
