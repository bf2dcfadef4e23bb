package setup

import (
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
)

// TestFirstGuesses: what a new user types is answered by the command that it means, before anything is done.
func TestFirstGuesses(t *testing.T) {
	for args, hint := range map[string]string{
		"java 11":           "plimsoll setup jdk@11.0.13",
		"jdk 11":            "plimsoll setup jdk@11.0.13",
		"jdk@11":            "plimsoll setup jdk@11.0.13",
		"openjdk@11":        "plimsoll setup jdk@11.0.13",
		"openjdk-17":        "plimsoll setup jdk@17.0.9",
		"jdk-11":            "plimsoll setup jdk@11.0.13",
		"jdk11":             "plimsoll setup jdk@11.0.13",
		"Temurin@25":        "plimsoll setup jdk@25.0.2",
		"java":              "plimsoll setup jdk",
		"jdk@18":            "there are 25.0.2, 21.0.8, 17.0.9, 11.0.13",
		"jdk@11.0.14":       "there are 25.0.2, 21.0.8, 17.0.9, 11.0.13",
		"jdk@":              "there are 25.0.2, 21.0.8, 17.0.9, 11.0.13",
		"kafka@2.6":         "plimsoll setup kafka@2.6.1",
		"kafka@2":           "plimsoll setup kafka@2.6.1",
		"kafka 2.6.1":       "plimsoll setup kafka@2.6.1",
		"kafka-2.6.1":       "plimsoll setup kafka@2.6.1",
		"kafka=2.6.1":       "plimsoll setup kafka@2.6.1",
		"kafka@2.7":         "there are 4.1.0, 3.9.1, 2.6.1",
		"zookeeper":         "plimsoll setup kafka@2.6.1",
		"zookeeper@3.5.8":   "plimsoll setup kafka@2.6.1",
		"corretto":          "plimsoll setup kafka",
		"postgresql@13":     "plimsoll setup postgres@13.1",
		"postgresql-13":     "plimsoll setup postgres@13.1",
		"postgres13":        "plimsoll setup postgres@13.1",
		"postgres@13":       "plimsoll setup postgres@13.1",
		"postgres@15":       "there are 18.4, 13.1",
		"postgres@system":   "there are 18.4, 13.1",
		"nginx@1.2":         "plimsoll setup nginx",
		"ngnix":             "did you mean nginx?",
		"kafka jdk@11 perf": "plimsoll setup jdk@11.0.13",
		"11":                "there are nginx, ",
		"":                  "there are nginx, ",
	} {
		_, err := Engines(strings.Split(args, " "))
		if _, got := parts(err); !strings.HasPrefix(got, hint) || !usage.Is(err) {
			t.Errorf("%q: %v, want the hint %q", args, err, hint)
		}
	}
	for _, args := range []string{"jdk", "jdk@11.0.13", "kafka@2.6.1", "postgres@13.1", "kafka", "postgres"} {
		if got, err := Engines([]string{args}); err != nil || len(got) != 1 {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func parts(err error) (text, hint string) {
	if err == nil {
		return "", ""
	}
	return usage.Parts(err)
}
