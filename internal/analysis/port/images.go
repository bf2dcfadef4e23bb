package port

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// images finds images that are built for x86 alone, as docker save and OCI archives have them.
type images struct {
	file   *regexp.Regexp
	others map[string]imageConfig // archive: its first image for another processor
	arm    map[string]bool
}

type imageConfig struct{ path, arch string }

func newImages() *images {
	return &images{
		file:   regexp.MustCompile(`!/(?:[^!]*/)?(?:blobs/sha256/[0-9a-f]{64}|[0-9a-f]{64}\.json|config\.json)$`),
		others: map[string]imageConfig{}, arm: map[string]bool{}}
}

func (*images) id() string { return "image" }

func (*images) doc() string { return "images that are built for x86 alone" }

func (i *images) needs(file string, head []byte) Need {
	if i.file.MatchString(file) && strings.HasPrefix(strings.TrimSpace(string(head)), "{") {
		return Whole
	}
	return Nothing
}

func (i *images) look(f File, _ *Report) {
	var config struct {
		Architecture string          `json:"architecture"`
		RootFS       json.RawMessage `json:"rootfs"`
	}
	// that of an attestation
	if json.Unmarshal(f.Data, &config) != nil || config.RootFS == nil || config.Architecture == "" ||
		config.Architecture == "unknown" {
		return
	}
	of := container(f.Path)
	if config.Architecture == "arm64" {
		i.arm[of] = true
	} else if _, ok := i.others[of]; !ok {
		i.others[of] = imageConfig{f.Path, config.Architecture}
	}
}

func (i *images) settle(r *Report) {
	for of, config := range i.others {
		if i.arm[of] {
			r.alternative(i.id(), config.path, "there is one for arm64 too")
			continue
		}
		r.add(Finding{Check: i.id(), Severity: WillNotRun, File: of, Says: fmt.Sprintf("an image for %s alone", config.arch),
			Remedy: "build it for --platform linux/amd64,linux/arm64, or pull the one for --platform linux/arm64"})
	}
}
