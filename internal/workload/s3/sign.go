package s3

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"plimsoll/internal/workload"
)

// The headers of signed requests.
const (
	headerSHA256   = "X-Amz-Content-Sha256"
	headerCRC32C   = "X-Amz-Checksum-Crc32c"
	headerDate     = "X-Amz-Date"
	headerToken    = "X-Amz-Security-Token"
	headerSigned   = "Authorization"
	unsigned       = "UNSIGNED-PAYLOAD"
	emptySHA256    = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	service        = "s3"
	dateForm       = "20060102T150405Z"
	signatureBytes = 64 // of its text, at the end of the header
)

// endpoint is a bucket of a store, with the credentials for it.
type endpoint struct {
	scheme, host string
	servers      []string // addresses of several servers of the store, which requests go to in turn; nil: the host's
	bucket       string
	region       string
	keys         aws.Credentials
	payload      string // unsigned, or "": each payload's SHA-256 is signed
	signer       *v4.Signer
}

func newEndpoint(p workload.Params, b bucket, keys aws.Credentials) *endpoint {
	e := &endpoint{scheme: b.scheme, host: b.host, bucket: b.name, region: p.Text(paramRegion), keys: keys,
		signer: newSigner()}
	if chosen := p.Text(paramPayload); chosen == payloadUnsigned || chosen == payloadAuto && e.scheme == "https" {
		e.payload = unsigned
	}
	return e
}

func newSigner() *v4.Signer {
	return v4.NewSigner(func(o *v4.SignerOptions) {
		o.DisableURIPathEscaping = true // as S3 defines the canonical path
	})
}

// path returns the path of an object, or of the bucket for "".
func (e *endpoint) path(key string) string {
	if key == "" {
		return "/" + e.bucket
	}
	return "/" + e.bucket + "/" + key
}

// url returns the URL of an object with a query.
func (e *endpoint) url(key, query string) *url.URL {
	return &url.URL{Scheme: e.scheme, Host: e.host, Path: e.path(key), RawQuery: query}
}

// hashOf returns the text by which a payload is signed.
func (e *endpoint) hashOf(sha256 string) string { return cmp.Or(e.payload, sha256, emptySHA256) }

// sign signs a request at a time. Its headers are part of the signature.
func (e *endpoint) sign(ctx context.Context, r *http.Request, sha256 string, at time.Time) error {
	hash := e.hashOf(sha256)
	r.Header.Set(headerSHA256, hash)
	if err := e.signer.SignHTTP(ctx, e.keys, r, hash, service, e.region, at); err != nil {
		return fmt.Errorf("%s: sign a request: %w", Name, err)
	}
	return nil
}

// renewed is how long a signature is used. Servers accept one for 15 minutes.
const renewed = int64(time.Minute)

// The cache of signatures. Each kind of request has a stretch of it, and a PUT one for each variant: the requests of
// up to 2048 objects have separate places.
const (
	cacheSize = 1 << 15
	stretch   = cacheSize / 16
)

// placeOf returns the place of a request in the cache.
func placeOf(k kind, tag uint64) uint64 {
	n := uint64(variants + k)
	if k == put {
		n = tag >> 1 % variants
	}
	return (n*stretch + tag<<8>>12) % cacheSize
}

// signed is a signature in the cache.
type signed struct {
	tag   uint64 // of the request; 0: none
	epoch int64
	text  [signatureBytes]byte
}

// signatures belong to one lane. A request that is repeated is signed once per epoch: the signer allocates.
type signatures struct {
	endpoint *endpoint
	cache    []signed
	epoch    int64  // of now
	date     string // of the epoch
	at       time.Time
	stems    [kinds]string // of the header Authorization in this epoch, up to the signature
}

func newSignatures(e *endpoint) *signatures {
	return &signatures{endpoint: e, cache: make([]signed, cacheSize), epoch: -1}
}

// turn begins the epoch of now, ns of CLOCK_MONOTONIC.
func (s *signatures) turn(now int64) {
	epoch := now / renewed
	if epoch == s.epoch {
		return
	}
	s.epoch, s.at = epoch, time.Now().UTC()
	s.date = s.at.Format(dateForm)
}

// request is one to be signed.
type request struct {
	method string
	key    string
	query  string
	sums   sums
}

// of returns the header Authorization of a request in two parts. No two requests share a tag. ask is called only if
// the request has to be signed.
func (s *signatures) of(k kind, tag uint64, ask func() request) (stem string, signature []byte, err error) {
	c := &s.cache[placeOf(k, tag)]
	if c.tag == tag && c.epoch == s.epoch {
		return s.stems[k], c.text[:], nil
	}
	text, err := s.authorization(ask())
	if err != nil {
		return "", nil, err
	}
	stem, last := text[:len(text)-signatureBytes], text[len(text)-signatureBytes:]
	c.tag, c.epoch = tag, s.epoch
	copy(c.text[:], last)
	s.stems[k] = stem
	return stem, c.text[:], nil
}

// authorization signs a request.
func (s *signatures) authorization(q request) (string, error) {
	r := &http.Request{Method: q.method, URL: s.endpoint.url(q.key, q.query), Host: s.endpoint.host, Header: http.Header{}}
	if q.sums.crc32c != "" {
		r.Header.Set(headerCRC32C, q.sums.crc32c)
	}
	if err := s.endpoint.sign(context.Background(), r, q.sums.sha256, s.at); err != nil {
		return "", err
	}
	text := r.Header.Get(headerSigned)
	if len(text) <= signatureBytes || !strings.HasSuffix(text[:len(text)-signatureBytes], "Signature=") {
		return "", fmt.Errorf("%s: the signer's header doesn't end with a signature", Name)
	}
	return text, nil
}
