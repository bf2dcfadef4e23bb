package detached

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// FuzzRelayed takes anything for a command line: what is taken begins nothing endless, and is the first line.
func FuzzRelayed(f *testing.F) {
	f.Add([]byte("[\"run\",\"exec\"]\nmore\n"))
	f.Add([]byte("[\"" + RelayVerb + "\"]\n"))
	f.Add([]byte("[]\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		args, err := Relayed(bytes.NewReader(said))
		if err != nil {
			return
		}
		line, _, whole := bytes.Cut(said, []byte("\n"))
		var want []string
		if jerr := json.Unmarshal(line, &want); jerr != nil || !whole || !slices.Equal(args, want) ||
			len(args) == 0 || args[0] == RelayVerb {
			t.Fatalf("%q of %q, %v", args, line, jerr)
		}
	})
}
