package netty

import (
	"errors"
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestReleaseIsReadFromThePOM(t *testing.T) {
	if r := release(); !strings.HasSuffix(r.Version, ".Final") ||
		!strings.Contains(string(pom), "<netty>"+r.Version+"</netty>") {
		t.Errorf("the release is %q", r.Version)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	var missing *engine.Missing
	if err := checkNative(t.TempDir(), release().Version); !errors.As(err, &missing) ||
		!strings.Contains(err.Error(), "netty-transport-native-epoll-") {
		t.Errorf("without the native transport: %v", err)
	}
}
