package cloud

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"plimsoll/internal/record"
)

// MetadataBase is the address at which every cloud answers an instance's questions about itself.
const MetadataBase = "http://169.254.169.254"

const (
	metadataTimeout = time.Second // of one question
	maxMetadata     = 1 << 16     // bytes of one answer
)

// Metadata asks the cloud's metadata service at base for the instance's type and place, and adds
// them to known. It asks for nothing that names the instance. If the provider is not known, those
// that it can ask are tried in turn; they share an address. Nothing else in Plimsoll contacts the
// service.
func Metadata(ctx context.Context, base string, known record.Cloud) (record.Cloud, error) {
	c := metadataClient{base: strings.TrimSuffix(base, "/"), http: metadataHTTP()}
	providers := map[string]func(context.Context) (record.Cloud, error){
		cloudAWS: c.aws, cloudGCP: c.gcp, cloudAzure: c.azure}
	order := []string{cloudAWS, cloudGCP, cloudAzure}
	if known.Provider != "" {
		order = []string{known.Provider}
	}
	var last error
	for _, provider := range order {
		ask := providers[provider]
		if ask == nil {
			return known, fmt.Errorf("cloud metadata: not asked for on %s", provider)
		}
		found, err := ask(ctx)
		if err == nil {
			found.Provider = provider
			return found, nil
		}
		last = fmt.Errorf("cloud metadata of %s: %w", provider, err)
	}
	return known, last
}

// metadataHTTP goes through no proxy and follows nobody: the service is on this
// host's own link.
func metadataHTTP() *http.Client {
	return &http.Client{
		Timeout:       metadataTimeout,
		Transport:     &http.Transport{Proxy: nil, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type metadataClient struct {
	base string
	http *http.Client
}

func (c metadataClient) ask(ctx context.Context, method, path string, header ...string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, nil)
	if err != nil {
		return "", err
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s %s: %s", method, path, resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxMetadata))
	return strings.TrimSpace(string(body)), err
}

// aws asks version 2 of EC2's service, which wants a token first.
func (c metadataClient) aws(ctx context.Context) (record.Cloud, error) {
	token, err := c.ask(ctx, http.MethodPut, "/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds", "60")
	if err != nil {
		return record.Cloud{}, err
	}
	var out record.Cloud
	for path, field := range map[string]*string{
		"instance-type": &out.Type, "placement/region": &out.Region, "placement/availability-zone": &out.Zone,
	} {
		text, err := c.ask(ctx, http.MethodGet, "/latest/meta-data/"+path, "X-aws-ec2-metadata-token", token)
		if err != nil {
			return record.Cloud{}, err
		}
		if *field, err = plain(text); err != nil {
			return record.Cloud{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	return out, nil
}

// gcp answers with paths: "projects/123/machineTypes/n2-standard-8".
func (c metadataClient) gcp(ctx context.Context) (record.Cloud, error) {
	var out record.Cloud
	for path, field := range map[string]*string{"machine-type": &out.Type, "zone": &out.Zone} {
		text, err := c.ask(ctx, http.MethodGet, "/computeMetadata/v1/instance/"+path, "Metadata-Flavor", "Google")
		if err != nil {
			return record.Cloud{}, err
		}
		if *field, err = plain(text[strings.LastIndex(text, "/")+1:]); err != nil {
			return record.Cloud{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	if i := strings.LastIndex(out.Zone, "-"); i > 0 {
		out.Region = out.Zone[:i]
	}
	return out, nil
}

func (c metadataClient) azure(ctx context.Context) (record.Cloud, error) {
	text, err := c.ask(ctx, http.MethodGet, "/metadata/instance/compute?api-version=2021-02-01", "Metadata", "true")
	if err != nil {
		return record.Cloud{}, err
	}
	return parseAzure([]byte(text))
}

// parseAzure reads the part of Azure's answer that names no machine.
func parseAzure(b []byte) (record.Cloud, error) {
	var compute struct{ VMSize, Location, Zone string }
	if err := json.Unmarshal(b, &compute); err != nil {
		return record.Cloud{}, fmt.Errorf("compute: %w", err)
	}
	for _, text := range []string{compute.VMSize, compute.Location, compute.Zone} {
		if _, err := plain(text); text != "" && err != nil {
			return record.Cloud{}, fmt.Errorf("compute: %w", err)
		}
	}
	if compute.VMSize == "" {
		return record.Cloud{}, fmt.Errorf("compute: %.60q names no size", b)
	}
	return record.Cloud{Type: compute.VMSize, Region: compute.Location, Zone: compute.Zone}, nil
}

// plain refuses an answer that is no name, such as the page of a captive portal.
func plain(text string) (string, error) {
	const longest = 64
	bad := strings.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	})
	if text == "" || len(text) > longest || bad >= 0 {
		return "", fmt.Errorf("%.60q is not a name", text)
	}
	return text, nil
}
