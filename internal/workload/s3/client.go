package s3

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"plimsoll/internal/base/secret"
)

// client sends single requests, before and after the load, by the standard library.
type client struct {
	*endpoint
	http http.Client
}

func newClient(e *endpoint, secure *tls.Config, timeout time.Duration, connections int) *client {
	transport := &http.Transport{TLSClientConfig: secure, DisableCompression: true, MaxIdleConnsPerHost: connections}
	if len(e.servers) > 0 {
		transport.DialContext = inTurn(e.servers)
	}
	return &client{endpoint: e, http: http.Client{Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// inTurn returns a function that connects to each of several servers in turn, whichever is asked for.
func inTurn(servers []string) func(context.Context, string, string) (net.Conn, error) {
	var next atomic.Uint64
	var d net.Dialer
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return d.DialContext(ctx, network, servers[(next.Add(1)-1)%uint64(len(servers))])
	}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// maxAnswer bounds an answer that isn't an object: S3 lists at most 1000 keys of at most 1 KiB each.
const maxAnswer = 4 << 20

// errAnswer is the error of an answer that is too long.
var errAnswer = errors.New(Name + ": the answer exceeds 4 MiB, so this isn't an S3 endpoint\nhint: check the URL")

// answer is a whole one.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request. The caller closes the answer's body.
func (c *client) send(ctx context.Context, method, key, query string, body []byte, s sums) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.url(key, query).String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	if s.crc32c != "" {
		r.Header.Set(headerCRC32C, s.crc32c)
	}
	length := r.ContentLength
	r.ContentLength = 0 // it isn't part of the signature
	if err := c.sign(ctx, r, s.sha256, time.Now().UTC()); err != nil {
		return nil, err
	}
	r.ContentLength = length
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(err)
	}
	return resp, nil
}

// do sends a request and reads the answer, which isn't an object.
func (c *client) do(ctx context.Context, method, key, query string, body []byte, s sums) (answer, error) {
	resp, err := c.send(ctx, method, key, query, body, s)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	return c.read(resp)
}

// read reads an answer that isn't an object.
func (c *client) read(resp *http.Response) (answer, error) {
	a := answer{status: resp.StatusCode, header: resp.Header}
	var err error
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return a, fmt.Errorf("%s: read the answer of %s: %w", Name, c.host, err)
	case len(a.body) > maxAnswer:
		return a, errAnswer
	}
	return a, nil
}

// errOther is the error of an object with other bytes.
var errOther = errors.New("the store returns other bytes than it acknowledged last")

// same reads an object back, and returns an error unless it has these bytes.
func (c *client) same(ctx context.Context, key string, want []byte) error {
	resp, err := c.send(ctx, http.MethodGet, key, "", nil, sums{})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return errMissing
	default:
		a, err := c.read(resp)
		if err == nil {
			err = c.refused("reading objects back", a)
		}
		return err
	}
	b := make([]byte, readBackPiece)
	for {
		n, err := resp.Body.Read(b)
		if n > len(want) || !bytes.Equal(b[:n], want[:n]) {
			return errOther
		}
		switch want = want[n:]; {
		case errors.Is(err, io.EOF) && len(want) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return errOther
		case err != nil:
			return fmt.Errorf("%s: read an object of %s back: %w", Name, c.host, err)
		}
	}
}

// readBackPiece is the part of an object that is read back at once, bytes.
const readBackPiece = 128 << 10

// unreachable returns the error of a store that didn't answer, without its URL.
func (c *client) unreachable(err error) error {
	var quoting *url.Error
	if errors.As(err, &quoting) {
		err = quoting.Err
	}
	hint := "is an S3 endpoint listening there?"
	var name x509.HostnameError
	var untrusted *tls.CertificateVerificationError
	var foreign tls.RecordHeaderError
	var late net.Error
	switch {
	case errors.As(err, &name), errors.As(err, &untrusted):
		hint = "use the name in its certificate; SSL_CERT_FILE=CA.pem in the environment sets the trusted CA, and --set " +
			Name + "." + paramInsecure + "=true accepts any certificate"
	case errors.As(err, &foreign), strings.Contains(err.Error(), "gave HTTP response to HTTPS client"):
		hint = "does the endpoint speak TLS? http:// connects without"
	case errors.As(err, &late) && late.Timeout():
		hint = "it didn't answer in time; --timeout sets another limit"
	}
	return fmt.Errorf("%s: %s: %w\nhint: %s", Name, c.host, err, hint)
}

// refusal is the body of an answer to a request that failed.
type refusal struct {
	XMLName xml.Name `xml:"Error"`
	Code    string
	Message string
	Region  string
}

// faultIn reads the error in a body; what isn't XML has no code.
func faultIn(body []byte) refusal {
	var f refusal
	if err := xml.Unmarshal(body, &f); err != nil {
		return refusal{}
	}
	return f
}

// mostText bounds a part of an answer in a message, in characters.
const mostText = 160

// quoted returns a text of a server for a message: short, printable and without secrets.
func quoted(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, ""))), " ")
	if runes := []rune(text); len(runes) > mostText {
		text = string(runes[:mostText]) + "…"
	}
	return secret.NewMasker().Text(text)
}

// refused returns the error of an answer with a bad status.
func (c *client) refused(doing string, a answer) error {
	return statusError(doing, a.status, a.body, a.header.Get("Date"), c.region)
}

// statusError returns the error of a bad status with the server's reason and a hint. date is the server's time.
func statusError(doing string, status int, body []byte, date, region string) error {
	f := faultIn(body)
	text := fmt.Sprintf("%s: %s: status %d", Name, doing, status)
	if f.Code != "" {
		text += ", " + quoted(f.Code)
	}
	if f.Message != "" {
		text += ": " + quoted(f.Message)
	}
	if hint := hintOf(status, f, date, region); hint != "" {
		text += "\nhint: " + hint
	}
	return errors.New(text)
}

// hintOf returns what helps against an error.
func hintOf(status int, f refusal, date, region string) string {
	switch f.Code {
	case "RequestTimeTooSkewed":
		return "the clocks differ by more than 15 minutes: here it is " + time.Now().UTC().Format(time.RFC1123) +
			" in UTC, at the server " + quoted(date)
	case "InvalidAccessKeyId":
		return "the endpoint doesn't know the access key: check AWS_ACCESS_KEY_ID, or --access-key"
	case "SignatureDoesNotMatch":
		return "check AWS_SECRET_ACCESS_KEY, or --secret-key; a proxy that changes the Host header has the same effect"
	case "NoSuchBucket":
		return "create the bucket first: plimsoll creates none at an existing endpoint"
	case "AccessDenied", "AllAccessDisabled":
		return "the keys need s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject on a separate bucket; " +
			"multipart also s3:ListBucketMultipartUploads and s3:AbortMultipartUpload"
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
		if f.Region != "" {
			return "the bucket's region is " + quoted(f.Region) + ", not " + region + ": --region " + quoted(f.Region)
		}
		return "check --region, which is " + region
	case "XMinioStorageFull", "QuotaExceeded", "XMinioAdminBucketQuotaExceeded":
		return "the store is full: --objects and --size set how much is written"
	}
	switch {
	case status == http.StatusMovedPermanently, status == http.StatusTemporaryRedirect:
		return "the bucket is at another endpoint: use the one of its region"
	case status == http.StatusForbidden, status == http.StatusUnauthorized:
		return "check the keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	case status == http.StatusInsufficientStorage:
		return "the store is full: --objects and --size set how much is written"
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		return "the store limits requests, or isn't ready: fewer --clients, or a lower --rate"
	case status >= http.StatusInternalServerError:
		return "the store failed: see its log"
	}
	return "is this an S3 endpoint? The URL is https://HOST/BUCKET"
}

// put stores an object.
func (c *client) put(ctx context.Context, key string, body []byte, s sums) error {
	a, err := c.do(ctx, http.MethodPut, key, "", body, s)
	if err == nil && a.status != http.StatusOK {
		err = c.refused("PUT of an object", a)
	}
	return err
}

// remove removes an object.
func (c *client) remove(ctx context.Context, key string) error {
	a, err := c.do(ctx, http.MethodDelete, key, "", nil, sums{})
	if err == nil && a.status != http.StatusNoContent && a.status != http.StatusOK {
		err = c.refused("DELETE of an object", a)
	}
	return err
}

// listing is a page of keys.
type listing struct {
	Contents []struct {
		Key  string
		Size int64
	}
	IsTruncated           bool
	NextContinuationToken string
}

// page lists at most so many keys below a prefix; token comes from the page before.
func (c *client) page(ctx context.Context, prefix, token string, most int) (listing, error) {
	var out listing
	a, err := c.do(ctx, http.MethodGet, "", listQuery(prefix, token, most), nil, sums{})
	switch {
	case err != nil:
		return out, err
	case a.status != http.StatusOK:
		return out, c.refused("listing the bucket "+quoted(c.bucket), a)
	}
	if err := xml.Unmarshal(a.body, &out); err != nil {
		return out, fmt.Errorf("%s: the answer to a listing isn't XML of S3\nhint: is this an S3 endpoint? The URL is "+
			"https://HOST/BUCKET", Name)
	}
	return out, nil
}

// listQuery returns the query of a listing.
func listQuery(prefix, token string, most int) string {
	q := url.Values{"list-type": {"2"}, "prefix": {prefix}, "max-keys": {strconv.Itoa(most)}}
	if token != "" {
		q.Set("continuation-token", token)
	}
	return encoded(q)
}

// encoded returns a query in the order of its names, which the signature requires.
func encoded(q url.Values) string { return strings.ReplaceAll(q.Encode(), "+", "%20") }

// uploads is a page of multipart uploads that aren't complete.
type uploads struct {
	Upload             []begun
	IsTruncated        bool
	NextKeyMarker      string
	NextUploadIDMarker string `xml:"NextUploadIdMarker"`
}

// begun is an upload.
type begun struct {
	Key string
	ID  string `xml:"UploadId"`
}

// uploads lists multipart uploads below a prefix that aren't complete, from the end of the last page on.
func (c *client) uploads(ctx context.Context, prefix string, last uploads) (uploads, error) {
	q := url.Values{"prefix": {prefix}, "uploads": {""}}
	if last.IsTruncated {
		q.Set("key-marker", last.NextKeyMarker)
		q.Set("upload-id-marker", last.NextUploadIDMarker)
	}
	var out uploads
	a, err := c.do(ctx, http.MethodGet, "", encoded(q), nil, sums{})
	switch {
	case err != nil:
		return out, err
	case a.status != http.StatusOK:
		return out, c.refused("listing multipart uploads", a)
	}
	if err := xml.Unmarshal(a.body, &out); err != nil {
		return out, fmt.Errorf("%s: the answer to a listing of uploads isn't XML of S3", Name)
	}
	return out, nil
}

// abort ends an upload that isn't complete. One that another listing has ended already is not found.
func (c *client) abort(ctx context.Context, u begun) error {
	a, err := c.do(ctx, http.MethodDelete, u.Key, "uploadId="+url.QueryEscape(u.ID), nil, sums{})
	if err == nil && a.status != http.StatusNoContent && a.status != http.StatusNotFound {
		err = c.refused("ending a multipart upload", a)
	}
	return err
}
