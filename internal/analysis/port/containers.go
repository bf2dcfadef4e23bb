package port

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// containers finds what ties images and their placement to x86: files for docker build, compose and Kubernetes.
type containers struct {
	names                    names
	from, fetched, asks, set *regexp.Regexp
	platform, node, affinity *regexp.Regexp
}

func newContainers() containers {
	return containers{
		names:   newNames(),
		from:    regexp.MustCompile(`(?i)^\s*FROM\s+(?:--platform=(\S+)\s+)?(\S+)`),
		fetched: regexp.MustCompile(`(?i)[\w./:${}-]*(?:x86[_-]64|amd64|linux64|linux-x64)[\w./${}-]*`),
		asks: regexp.MustCompile(`(?i)uname|dpkg --print-architecture|TARGETARCH|TARGETPLATFORM|aarch64|arm64|\bapk ` +
			`--print-arch`),
		set:      regexp.MustCompile(`(?i)\b(?:GOARCH|TARGETARCH|ARCH)=["']?(amd64|x86_64|x64)\b`),
		platform: regexp.MustCompile(`^\s*-?\s*platform:\s*["']?(linux/(?:amd64|386|x86_64))`),
		node:     regexp.MustCompile(`^\s*["']?(?:beta\.)?kubernetes\.io/arch["']?:\s*["']?(amd64|386)`),
		affinity: regexp.MustCompile(`key:\s*["']?(?:beta\.)?kubernetes\.io/arch`),
	}
}

func (containers) id() string { return "container" }

func (containers) doc() string {
	return "images and placements that are tied to x86"
}

func isDockerfile(file string) bool {
	base := strings.ToLower(path.Base(file))
	return base == "dockerfile" || base == "containerfile" || strings.HasPrefix(base, "dockerfile.") ||
		strings.HasSuffix(base, ".dockerfile")
}

func (containers) needs(file string, _ []byte) Need {
	if isDockerfile(file) || slices.Contains([]string{".yml", ".yaml"}, strings.ToLower(path.Ext(file))) {
		return Whole
	}
	return Nothing
}

func (containers) settle(*Report) {}

func (c containers) look(f File, r *Report) {
	find := c.placed
	if isDockerfile(f.Path) {
		find = c.built
	}
	for _, one := range merged(find(lines(f.Data))) {
		one.Check, one.File = c.id(), f.Path
		r.add(one)
	}
}

// built looks at the lines of a Dockerfile.
func (c containers) built(text []string) []Finding {
	asks := slices.ContainsFunc(text, c.asks.MatchString)
	var out []Finding
	for i, line := range text {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		switch m := c.from.FindStringSubmatch(line); {
		case m != nil:
			if one, ok := c.based(m[1], m[2]); ok {
				one.Line = i + 1
				out = append(out, one)
			}
		case c.set.MatchString(line):
			out = append(out, Finding{Severity: WillNotRun, Line: i + 1,
				Says:   c.set.FindString(line) + " builds for x86 on any machine",
				Remedy: "leave it out, or take docker build's TARGETARCH"})
		case c.fetched.MatchString(line) && !c.asks.MatchString(line):
			one := Finding{Severity: WillNotRun, Line: i + 1, Says: "takes what is for x86: " + c.fetched.FindString(line),
				Remedy: "name the file by $(uname -m), or by docker build's TARGETARCH"}
			if asks {
				one.Severity, one.Says = WorthChecking, one.Says+"; other lines ask for the architecture"
			}
			out = append(out, one)
		}
	}
	return out
}

// based judges FROM.
func (c containers) based(platform, image string) (Finding, bool) {
	switch lower := strings.ToLower(platform); {
	case strings.Contains(lower, "amd64") || strings.Contains(lower, "x86_64") || strings.Contains(lower, "386"):
		return Finding{Severity: WillNotRun, Says: "--platform=" + platform + " takes x86's image on any machine",
			Remedy: "leave --platform out, or build for --platform linux/amd64,linux/arm64"}, true
	case platform != "":
		return Finding{}, false
	}
	repository, tag, _ := strings.Cut(image, ":")
	named := c.names.machine.MatchString(tag) || c.names.machine.MatchString(path.Base(repository))
	if named || strings.HasPrefix(repository, "amd64/") || strings.HasPrefix(repository, "i386/") {
		return Finding{Severity: WillNotRun, Says: image + " is x86's image by its name",
			Remedy: "the image without an architecture in its name, if it is one for several, or that for arm64"}, true
	}
	if strings.Contains(image, "@sha256:") {
		return Finding{Severity: WorthChecking, Says: image[:strings.Index(image, "@")] +
				" is pinned by a digest, which may be that of x86's image alone",
				Remedy: "docker buildx imagetools inspect says whether the digest is of an index with linux/arm64; pin that one"},
			true
	}
	return Finding{}, false
}

// placed looks at the lines of compose files and of manifests for Kubernetes.
func (c containers) placed(text []string) []Finding {
	whole := strings.Join(text, "\n")
	if c.platform.FindString(whole) == "" && !strings.Contains(whole, "kubernetes.io/arch") &&
		!strings.Contains(whole, "platform:") {
		return nil
	}
	var out []Finding
	for i, line := range text {
		switch m := c.platform.FindStringSubmatch(line); {
		case m != nil:
			out = append(out, Finding{Severity: WillNotRun, Line: i + 1,
				Says:   "platform " + m[1] + " takes x86's image on any machine",
				Remedy: "leave platform out"})
		case c.node.MatchString(line):
			out = append(out, Finding{Severity: WillNotRun, Line: i + 1,
				Says:   "placed on nodes of x86 alone by kubernetes.io/arch",
				Remedy: "leave the selector out, or place it by an affinity with amd64 and arm64"})
		case c.affinity.MatchString(line) && !strings.Contains(strings.Join(text[i:min(i+8, len(text))], " "), "arm64"):
			out = append(out, Finding{Severity: WillNotRun, Line: i + 1,
				Says:   "an affinity for kubernetes.io/arch without arm64",
				Remedy: "add arm64 to its values"})
		}
	}
	return out
}
