package detached

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/replace"
)

// parcel precedes the bytes of a session on their way: a carrier may cut them short without an error.
type parcel struct {
	Kind   string `json:"kind"` // parcelKind
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Rest   int64  `json:"rest,omitempty"` // bytes behind the last line break, which are not sent
}

// Arrival is what a fetched session has, in bytes, and what of its file was left behind: a last line without an end.
type Arrival struct{ Bytes, Rest int64 }

// Text tells it.
func (a Arrival) Text() string {
	text := fmt.Sprintf("%d bytes", a.Bytes)
	if a.Rest > 0 {
		text += fmt.Sprintf(", without %d more behind the last line break: a line that was being written, or was cut", a.Rest)
	}
	return text
}

const parcelKind = "parcel"

// Send writes a session's whole lines with their number and digest.
func Send(file string, to io.Writer) error {
	f, err := input.Open(file)
	if err != nil {
		return input.Wrap(err)
	}
	defer f.Close()
	size, all, err := wholeLines(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	head, err := json.Marshal(parcel{parcelKind, size, hex.EncodeToString(sum.Sum(nil)), all - size})
	if err != nil {
		return err
	}
	if _, err := to.Write(append(head, '\n')); err != nil {
		return fmt.Errorf("send %s: %w", file, err)
	}
	if _, err := io.Copy(to, io.NewSectionReader(f, 0, size)); err != nil {
		return fmt.Errorf("send %s: %w", file, err)
	}
	return nil
}

// wholeLines returns the size of a file up to its last line break, since its writer may be in the middle of a line, and
// the size of all.
func wholeLines(f *os.File) (whole, all int64, err error) {
	st, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	buf := make([]byte, 64<<10)
	for end := st.Size(); end > 0; {
		from := max(0, end-int64(len(buf)))
		n, err := f.ReadAt(buf[:end-from], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, err
		}
		if at := bytes.LastIndexByte(buf[:n], '\n'); at >= 0 {
			return from + int64(at) + 1, st.Size(), nil
		}
		end = from
	}
	return 0, st.Size(), nil
}

// Receive writes a session that Send sent, of at most most bytes, to a file, which it replaces only if it is an earlier
// part of the same session. What arrives is verified line by line. The file appears whole and durable, or not at all.
func Receive(from io.Reader, file string, most int64) (Arrival, error) {
	in := bufio.NewReader(from)
	line, err := in.ReadSlice('\n')
	var p parcel
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull):
		return Arrival{}, err
	case err != nil, json.Unmarshal(line, &p) != nil, p.Kind != parcelKind, p.Bytes < 0, p.Rest < 0:
		return Arrival{}, fmt.Errorf("unexpected reply instead of a session: %.200q", line)
	case p.Bytes > most:
		return Arrival{},
			usage.Errorf("%s: it is said to have %d bytes, over the limit of %s\nhint: --max-size %s, if you expect "+
				"that", file, p.Bytes, record.FormatSize(most), record.FormatSize((p.Bytes>>30+1)<<30))
	}
	sum := sha256.New()
	old, err := newPrefix(file)
	if err != nil {
		return Arrival{}, fmt.Errorf("fetch: %w\nhint: -o OTHER.plimsoll.jsonl", err)
	}
	err = replace.File(file, 0o644, func(w io.Writer) error {
		arriving := &counted{r: in, left: p.Bytes}
		err := session.Verify(io.TeeReader(arriving, io.MultiWriter(w, sum, old)))
		switch {
		case arriving.err != nil && !errors.Is(arriving.err, io.EOF):
			return arriving.err
		case arriving.err != nil && arriving.left > 0: // the last line is torn then, too
			return fmt.Errorf("%d of %d bytes arrived\nhint: fetch it again", p.Bytes-arriving.left, p.Bytes)
		case errors.As(err, new(*fs.PathError)): // it cannot be written
			return err
		case err != nil:
			return fmt.Errorf("what arrives is no session: %w", err)
		case hex.EncodeToString(sum.Sum(nil)) != p.SHA256:
			return errors.New("the bytes that arrived are not those that were sent\nhint: fetch it again")
		}
		return old.err(file)
	})
	if err != nil {
		return Arrival{}, fmt.Errorf("fetch %s: %w", file, err)
	}
	return Arrival{p.Bytes, p.Rest}, nil
}

// counted reads up to left bytes, and keeps the error of reading them.
type counted struct {
	r    io.Reader
	left int64
	err  error
}

func (c *counted) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left, c.err = c.left-int64(n), err
	return n, err
}

// prefix compares what is written with the beginning that a file has already.
type prefix struct {
	had   *bufio.Reader // nil: there is no file
	close func() error
	other bool
}

func newPrefix(file string) (*prefix, error) {
	f, err := input.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &prefix{}, nil
	}
	if err != nil {
		return nil, input.Wrap(err)
	}
	return &prefix{had: bufio.NewReader(f), close: f.Close}, nil
}

func (p *prefix) Write(b []byte) (int, error) {
	if p.had == nil || p.other {
		return len(b), nil
	}
	own := make([]byte, len(b))
	n, err := io.ReadFull(p.had, own)
	p.other = !bytes.Equal(own[:n], b[:n]) || err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
	return len(b), nil
}

// err returns an error if the file is not an earlier part of what was written.
func (p *prefix) err(file string) error {
	if p.had == nil {
		return nil
	}
	defer func() { _ = p.close() }()
	if _, err := p.had.ReadByte(); p.other || err == nil {
		return usage.Errorf("%s is there and is another session\nhint: -o OTHER.plimsoll.jsonl", file)
	}
	return nil
}

// Fetch brings a session of at most most bytes from the host that a command reaches to a file, and returns what
// arrived.
func Fetch(ctx context.Context, on, session, file string, most int64, stderr io.Writer) (Arrival, error) {
	return relay{silence: silence}.fetch(ctx, on, session, file, most, stderr)
}

func (r relay) fetch(ctx context.Context, on, session, file string, most int64, stderr io.Writer) (Arrival, error) {
	carrying, end := context.WithCancel(ctx)
	defer end()
	out, in := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		err := r.do(carrying, on, []string{"fetch", session, "-o", "-"}, in, stderr)
		_ = in.CloseWithError(err)
		sent <- err
	}()
	n, err := Receive(out, file, most)
	_ = out.Close()
	if err != nil {
		end() // the rest is of no use
		return n, cmp.Or(ctx.Err(), err, <-sent)
	}
	return n, <-sent
}
