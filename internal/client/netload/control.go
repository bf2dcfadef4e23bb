package netload

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// The limits of a connection that has not proved itself, and of any message.
const (
	provesWithin = 5 * time.Second
	maxMessage   = 8 << 10
)

const challengeBytes = 32

// hello is a client's first message on a TCP connection.
type hello struct {
	Order *Order `json:"order,omitempty"` // of a connection for control
	Data  string `json:"data,omitempty"`  // else the name of the connection that these data are of
}

// welcome answers it.
type welcome struct {
	Name        string `json:"name,omitempty"`
	Certificate []byte `json:"certificate,omitempty"` // DER
	Refused     string `json:"refused,omitempty"`
}

// word is a client's further message for control: the port of its UDP socket, or what it wants.
type word struct {
	Port    int  `json:"port,omitempty"`
	Stop    bool `json:"stop,omitempty"`    // send no more; of datagrams to the peer: none follow
	Account bool `json:"account,omitempty"` // once the peer's end is done
}

// reply answers a word.
type reply struct {
	Account *Account `json:"account,omitempty"`
	Refused string   `json:"refused,omitempty"`
}

// put writes a message as its length and JSON, with a MAC if there is a key.
func put(w io.Writer, key, challenge []byte, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	b := binary.BigEndian.AppendUint16(nil, uint16(len(text)))
	b = append(b, text...)
	if key != nil {
		b = append(b, mac(key, challenge, text)...)
	}
	_, err = w.Write(b)
	return err
}

// errProof is the error of a message whose MAC is wrong.
var errProof = errors.New("the other end does not know this run's key")

// get reads a message of put.
func get(r io.Reader, key, challenge []byte, message any) error {
	var size [2]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	n := int(binary.BigEndian.Uint16(size[:]))
	if n > maxMessage {
		return fmt.Errorf("a message of %d bytes: the most is %d", n, maxMessage)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	if key != nil {
		got := make([]byte, sha256.Size)
		if _, err := io.ReadFull(r, got); err != nil {
			return err
		}
		if !hmac.Equal(got, mac(key, challenge, text)) {
			return errProof
		}
	}
	return json.Unmarshal(text, message)
}

func mac(key, challenge, text []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write(challenge) // it never fails
	_, _ = h.Write(text)
	return h.Sum(nil)
}

// challenged sends a challenge and returns it with the answer's hello.
func challenged(c net.Conn, key []byte) (challenge []byte, h hello, err error) {
	_ = c.SetDeadline(time.Now().Add(provesWithin))
	challenge = make([]byte, challengeBytes)
	_, _ = rand.Read(challenge) // it never fails
	if _, err := c.Write(challenge); err != nil {
		return nil, h, err
	}
	err = get(c, key, challenge, &h)
	return challenge, h, err
}

// introduce answers a peer's challenge with a hello, and returns its welcome.
func introduce(c net.Conn, key []byte, h hello, within time.Duration) (welcome, error) {
	_ = c.SetDeadline(time.Now().Add(within))
	var w welcome
	challenge := make([]byte, challengeBytes)
	if _, err := io.ReadFull(c, challenge); err != nil {
		return w, err
	}
	if err := put(c, key, challenge, h); err != nil {
		return w, err
	}
	if err := get(c, key, challenge, &w); err != nil {
		return w, err
	}
	if w.Refused != "" {
		return w, errors.New(w.Refused)
	}
	if w.Name == "" { // as in this end's own hello, sent back
		return w, errProof
	}
	return w, c.SetDeadline(time.Time{})
}

// talk is a connection for control once it is proved.
type talk struct {
	net.Conn
	in *bufio.Reader
}

// ask sends a word and returns the reply.
func (t talk) ask(w word, within time.Duration) (reply, error) {
	_ = t.SetDeadline(time.Now().Add(within))
	var r reply
	if err := put(t, nil, nil, w); err != nil {
		return r, err
	}
	if err := get(t.in, nil, nil, &r); err != nil {
		return r, err
	}
	if r.Refused != "" {
		return r, errors.New(r.Refused)
	}
	return r, nil
}
