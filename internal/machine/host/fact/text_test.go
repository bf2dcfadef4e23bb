package fact

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func TestFeaturesHaveFriendlyNames(t *testing.T) {
	c := record.CPU{Features: []string{"aes", "atomics", "sha3", "sve2"}, SVEBits: 128}
	if got := featureText(c); got != "aes atomics (LSE) sha3 (EOR3) sve2 (128 bit)" {
		t.Errorf("%q", got)
	}
	c.SVEBits = 0
	if got := featureText(c); !strings.HasSuffix(got, " sve2") {
		t.Errorf("%q of an unknown length", got)
	}
}

func TestCloudText(t *testing.T) {
	for want, c := range map[string]record.Cloud{
		"":                             {},
		"gcp":                          {Provider: "gcp"},
		"aws, c5.large":                {Provider: "aws", Type: "c5.large"},
		"gcp, n2, europe-west1":        {Provider: "gcp", Type: "n2", Region: "europe-west1"},
		"aws, c5, eu-central-1b":       {Provider: "aws", Type: "c5", Region: "eu-central-1", Zone: "eu-central-1b"},
		"azure, D8, westeurope zone 2": {Provider: "azure", Type: "D8", Region: "westeurope", Zone: "2"},
	} {
		if got := cloudText(c); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}
