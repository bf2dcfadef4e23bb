package s3

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The credentials of the tests' store.
const (
	testAccess = "AKIDEXAMPLE"
	testSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	testBucket = "bench"
)

// testStore is a store of S3 in memory. It verifies signatures, payloads and checksums by the protocol's definition.
type testStore struct {
	mu      sync.Mutex
	objects map[string][]byte
	uploads map[string]map[int][]byte
	unsaid  []string // requests that were refused since they broke the protocol

	clock   time.Duration                                 // how far its clock is ahead
	corrupt func(key string) bool                         // an object is returned with a wrong byte
	forget  func(key string) bool                         // a write is acknowledged and dropped
	answer  func(http.ResponseWriter, *http.Request) bool // answers in its place
	page    int                                           // most keys of a page of a listing; 0: as many as are asked for
	untold  bool                                          // a page has no token for the next one
	exactly bool                                          // uploads are listed by the keys of their objects, as by MinIO
	gets    int
}

func newTestStore() *testStore {
	return &testStore{objects: map[string][]byte{}, uploads: map[string]map[int][]byte{}}
}

// start serves the store and returns the URL of its bucket.
func (s *testStore) start(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + "/" + testBucket
}

func fail(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>the test refuses %s</Message></Error>`, code, code)
}

func (s *testStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.answer != nil && s.answer(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if code := s.refuses(r, body); code != "" {
		s.mu.Lock()
		s.unsaid = append(s.unsaid, code+" "+r.Method+" "+r.URL.String())
		s.mu.Unlock()
		fail(w, http.StatusForbidden, code)
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if bucket != testBucket {
		fail(w, http.StatusNotFound, "NoSuchBucket")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := r.URL.Query(); q.Has("uploads") || q.Has("uploadId") {
		s.upload(w, r, key, q, body)
		return
	}
	s.object(w, r, key, body)
}

func (s *testStore) object(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	switch {
	case key == "":
		s.list(w, r.URL.Query())
	case r.Method == http.MethodPut:
		if s.forget == nil || !s.forget(key) {
			s.objects[key] = body
		}
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case s.objects[key] == nil:
		fail(w, http.StatusNotFound, "NoSuchKey")
	case r.Method == http.MethodHead:
		w.Header().Set("Content-Length", strconv.Itoa(len(s.objects[key])))
	default:
		s.gets++
		held := s.objects[key]
		if s.corrupt != nil && s.corrupt(key) {
			held = bytes.Clone(held)
			held[len(held)/2] ^= 1
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(held))
	}
}

func (s *testStore) list(w http.ResponseWriter, q url.Values) {
	most, _ := strconv.Atoi(q.Get("max-keys"))
	var keys []string
	for key := range s.objects {
		if strings.HasPrefix(key, q.Get("prefix")) && key > q.Get("continuation-token") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if s.page > 0 {
		most = min(most, s.page)
	}
	cut := len(keys) > most
	keys = keys[:min(len(keys), most)]
	fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>`)
	for _, key := range keys {
		fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size></Contents>", key, len(s.objects[key]))
	}
	fmt.Fprintf(w, "<IsTruncated>%v</IsTruncated>", cut)
	if cut && !s.untold {
		fmt.Fprintf(w, "<NextContinuationToken>%s</NextContinuationToken>", keys[len(keys)-1])
	}
	fmt.Fprint(w, "</ListBucketResult>")
}

func (s *testStore) upload(w http.ResponseWriter, r *http.Request, key string, q url.Values, body []byte) {
	id := q.Get("uploadId")
	switch {
	case key == "":
		s.listUploads(w, q)
	case q.Has("uploads"):
		id = fmt.Sprintf("%s#%d+/=", key, len(s.uploads))
		s.uploads[id] = map[int][]byte{}
		fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
	case s.uploads[id] == nil:
		fail(w, http.StatusNotFound, "NoSuchUpload")
	case r.Method == http.MethodDelete:
		delete(s.uploads, id)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		n, _ := strconv.Atoi(q.Get("partNumber"))
		s.uploads[id][n] = body
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
	default:
		var whole []byte
		for n := 1; n <= len(s.uploads[id]); n++ {
			if !strings.Contains(string(body), fmt.Sprintf(`<PartNumber>%d</PartNumber><ETag>"%d"</ETag>`, n, n)) {
				fail(w, http.StatusBadRequest, "InvalidPart")
				return
			}
			whole = append(whole, s.uploads[id][n]...)
		}
		s.objects[key] = whole
		delete(s.uploads, id)
	}
}

// mostUploads is how many uploads a page lists.
const mostUploads = 10

// listUploads lists uploads after two markers, in the order of their keys and then of their names.
func (s *testStore) listUploads(w http.ResponseWriter, q url.Values) {
	var ids []string
	for id := range s.uploads {
		key, _, _ := strings.Cut(id, "#")
		if strings.HasPrefix(key, q.Get("prefix")) && (!s.exactly || key == q.Get("prefix")) &&
			(key > q.Get("key-marker") || key == q.Get("key-marker") && id > q.Get("upload-id-marker")) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	cut := len(ids) > mostUploads
	ids = ids[:min(len(ids), mostUploads)]
	fmt.Fprintf(w, "<ListMultipartUploadsResult><IsTruncated>%v</IsTruncated>", cut)
	last := ""
	for _, id := range ids {
		last, _, _ = strings.Cut(id, "#")
		fmt.Fprintf(w, "<Upload><Key>%s</Key><UploadId>%s</UploadId></Upload>", last, id)
	}
	if cut {
		fmt.Fprintf(w, "<NextKeyMarker>%s</NextKeyMarker><NextUploadIdMarker>%s</NextUploadIdMarker>", last, ids[len(ids)-1])
	}
	fmt.Fprint(w, "</ListMultipartUploadsResult>")
}

// refuses returns the code of the error of a request that breaks the protocol; "" for a good one. It is the definition
// of AWS Signature Version 4: docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
func (s *testStore) refuses(r *http.Request, body []byte) string {
	fields := map[string]string{}
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		fields[name] = value
	}
	scope := strings.Split(fields["Credential"], "/")
	if !ok || len(scope) != 5 {
		return "AccessDenied"
	}
	if scope[0] != testAccess {
		return "InvalidAccessKeyId"
	}
	date := r.Header.Get("X-Amz-Date")
	at, err := time.Parse("20060102T150405Z", date)
	if err != nil || !strings.HasPrefix(date, scope[1]) {
		return "AuthorizationHeaderMalformed"
	}
	if skew := time.Now().Add(s.clock).Sub(at); skew.Abs() > 15*time.Minute {
		return "RequestTimeTooSkewed"
	}
	signed := strings.Split(fields["SignedHeaders"], ";")
	for name := range r.Header {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-amz-") && !slices.Contains(signed, lower) {
			return "UnsignedHeader"
		}
	}
	canonical := r.Method + "\n" + r.URL.EscapedPath() + "\n" +
		strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20") + "\n"
	for _, name := range signed {
		value := strings.TrimSpace(r.Header.Get(name))
		if name == "host" {
			value = r.Host
		}
		canonical += name + ":" + value + "\n"
	}
	hash := r.Header.Get("X-Amz-Content-Sha256")
	canonical += "\n" + fields["SignedHeaders"] + "\n" + hash
	sum := sha256.Sum256([]byte(canonical))
	key := []byte("AWS4" + testSecret)
	for _, part := range scope[1:] {
		key = mac(key, part)
	}
	want := hex.EncodeToString(mac(key, "AWS4-HMAC-SHA256\n"+date+"\n"+strings.Join(scope[1:], "/")+"\n"+
		hex.EncodeToString(sum[:])))
	if !hmac.Equal([]byte(want), []byte(fields["Signature"])) {
		return "SignatureDoesNotMatch"
	}
	if whole := sha256.Sum256(body); hash != "UNSIGNED-PAYLOAD" && hash != hex.EncodeToString(whole[:]) {
		return "XAmzContentSHA256Mismatch"
	}
	if crc := r.Header.Get("X-Amz-Checksum-Crc32c"); crc != "" {
		n := crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli))
		if crc != base64.StdEncoding.EncodeToString([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) {
			return "BadDigest"
		}
	}
	return ""
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
