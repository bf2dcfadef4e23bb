package detached

import (
	"bytes"
	"io"
	"testing"
)

// FuzzRelayed takes anything for a command line and its input: a command line begins nothing endless, and its input is
// all that follows its line.
func FuzzRelayed(f *testing.F) {
	f.Add([]byte("[\"run\",\"exec\"]\ninput\n"))
	f.Add([]byte("[\"" + RelayVerb + "\"]\n"))
	f.Add([]byte("[]\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		args, input, err := Relayed(bytes.NewReader(said))
		if err != nil {
			return
		}
		rest, err := io.ReadAll(input)
		_, want, _ := bytes.Cut(said, []byte("\n"))
		if err != nil || len(args) == 0 || args[0] == RelayVerb || !bytes.Equal(rest, want) {
			t.Fatalf("%q with %q, %v", args, rest, err)
		}
	})
}
