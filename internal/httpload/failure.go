package httpload

import (
	"fmt"

	"plimsoll/internal/load"
)

// failure is the reason why a request or a connection failed; zero means none. Its text is formatted only when read,
// since a server may fail a hundred thousand times a second.
type failure struct {
	class load.Class
	what  string
	err   error
}

func (f failure) some() bool { return f.what != "" }

func (f failure) Error() string {
	if f.err == nil {
		return f.what
	}
	return fmt.Sprintf("%s: %v", f.what, f.err)
}

func (f failure) Unwrap() error { return f.err }
