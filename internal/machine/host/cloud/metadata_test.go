package cloud

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func FuzzAzure(f *testing.F) {
	hosttest.Seed(f, nil, `{"vmSize":"Standard_D8s_v5","location":"westeurope","zone":"2"}`, `{"vmSize":"a b"}`, `{}`, `[`)
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseAzure(b)
		if (err == nil) != (got.Type != "") {
			t.Errorf("%+v, %v", got, err)
		}
		for _, text := range []string{got.Type, got.Region, got.Zone} {
			if strings.ContainsAny(text, "\x1b\n <>") {
				t.Errorf("%q is no name", text)
			}
		}
	})
}

// standIn answers as the three clouds do, each only to who asks in its way, and
// keeps what it was asked.
func standIn(t *testing.T, answers map[string]string) (base string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.URL.Path)
		h := r.Header
		allowed := r.URL.Path == "/latest/api/token" && r.Method == http.MethodPut &&
			h.Get("X-aws-ec2-metadata-token-ttl-seconds") != "" ||
			h.Get("X-aws-ec2-metadata-token") == "secret" || h.Get("Metadata-Flavor") == "Google" || h.Get("Metadata") == "true"
		answer, ok := answers[r.URL.Path]
		if !allowed || !ok {
			http.Error(w, "no", http.StatusNotFound)
			return
		}
		w.Write([]byte(answer))
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func ec2() map[string]string {
	return map[string]string{
		"/latest/api/token":                             "secret",
		"/latest/meta-data/instance-type":               "c5.18xlarge",
		"/latest/meta-data/placement/region":            "eu-central-1",
		"/latest/meta-data/placement/availability-zone": "eu-central-1b",
	}
}

func TestMetadata(t *testing.T) {
	google := map[string]string{
		"/computeMetadata/v1/instance/machine-type": "projects/123456/machineTypes/n2-standard-8",
		"/computeMetadata/v1/instance/zone":         "projects/123456/zones/europe-west1-b",
	}
	azure := map[string]string{
		"/metadata/instance/compute": `{"vmSize":"Standard_D8s_v5","location":"westeurope","zone":"2","vmId":"0-1"}`}
	for _, c := range []struct {
		provider string
		answers  map[string]string
		want     record.Cloud
	}{
		{"aws", ec2(), record.Cloud{Provider: "aws", Type: "c5.18xlarge", Region: "eu-central-1", Zone: "eu-central-1b"}},
		{"gcp", google, record.Cloud{Provider: "gcp", Type: "n2-standard-8", Region: "europe-west1", Zone: "europe-west1-b"}},
		{"azure", azure, record.Cloud{Provider: "azure", Type: "Standard_D8s_v5", Region: "westeurope", Zone: "2"}},
		{"", azure, record.Cloud{Provider: "azure", Type: "Standard_D8s_v5", Region: "westeurope", Zone: "2"}},
	} {
		base, asked := standIn(t, c.answers)
		got, err := Metadata(t.Context(), base+"/", record.Cloud{Provider: c.provider})
		if err != nil || got != c.want {
			t.Errorf("%q: %+v, %v; asked %q", c.provider, got, err, *asked)
		}
		for _, a := range *asked {
			if strings.Contains(a, "id") && !strings.Contains(a, "instance") {
				t.Errorf("asked for %s", a)
			}
		}
	}
}

func TestMetadataThatFails(t *testing.T) {
	known := record.Cloud{Provider: "aws", Type: "c5.large"}
	page := ec2()
	page["/latest/meta-data/instance-type"] = "<html>please log in</html>"
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	elsewhere := httptest.NewServer(http.RedirectHandler(silent.URL, http.StatusFound))
	t.Cleanup(elsewhere.Close)
	portal, _ := standIn(t, page)
	empty, _ := standIn(t, nil)
	for name, base := range map[string]string{
		"no service": "http://127.0.0.1:1", "a service that is silent": silent.URL, "a redirect": elsewhere.URL,
		"a captive portal": portal, "nothing there": empty,
	} {
		got, err := Metadata(t.Context(), base, known)
		if err == nil || got != known || !strings.HasPrefix(err.Error(), "cloud metadata of aws: ") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := Metadata(t.Context(), empty, record.Cloud{Provider: "hetzner"}); err == nil ||
		!strings.Contains(err.Error(), "hetzner") {
		t.Errorf("a cloud that cannot be asked: %v", err)
	}
}

func TestMetadataHasATimeout(t *testing.T) {
	if c := metadataHTTP(); c.Timeout <= 0 || c.Timeout > 2*time.Second || c.Transport.(*http.Transport).Proxy != nil {
		t.Errorf("timeout %v, or a proxy", c.Timeout)
	}
}
