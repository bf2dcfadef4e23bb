package load

import "fmt"

// Class is the kind of an operation's failure.
type Class uint8

// The classes of failure.
const (
	Timeout    Class = iota // no answer in time
	Connect                 // no connection could be made
	ConnClosed              // the other side closed the connection
	Status                  // an error answer
	Protocol                // a malformed or wrong answer
	Other
	classes = iota
)

// String returns the class's name in output and in JSON.
func (c Class) String() string {
	switch c {
	case Timeout:
		return "timeout"
	case Connect:
		return "connect"
	case ConnClosed:
		return "closed"
	case Status:
		return "status"
	case Protocol:
		return "protocol"
	case Other:
		return "other"
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// MarshalText makes maps by class readable in JSON.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
