// Package articles reads what the page of the published articles says of each, and places a machine's results among
// those that were published. An article is a folder of data: its question, its claims, the figures in which machines
// are ranked, and what is not comparable. The package is pure: it gets the text of files and reads none but those of
// the file system that it is given.
package articles

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

// ListFile names the articles, one a line, in the order of the page and of the command that measures them all.
const ListFile = "articles.yaml"

// Article is what the page says of one article.
type Article struct {
	Name      string   `yaml:"-"`         // of its folder and of its suite
	Also      []string `yaml:"also"`      // further suites whose sessions belong to it
	Title     string   `yaml:"title"`     // who compared what
	Source    string   `yaml:"source"`    // the article, as the tables of claims call it
	Published string   `yaml:"published"` // year, or year and month
	Question  string   `yaml:"question"`
	Answer    string   `yaml:"answer"` // the article's own
	Claims    []string `yaml:"claims"` // ids of those on which the answer rests
	Data      []Data   `yaml:"data"`   // what was published
	Figures   []Figure `yaml:"figures"`
	Differs   []string `yaml:"differs"`    // what is not comparable, and why
	Short     []string `yaml:"short"`      // what a quick session cannot show
	Takes     string   `yaml:"takes"`      // time and cost of the article's own comparison
	Engines   Versions `yaml:"engines"`    // of the article, by the key of a run
	PriceDate string   `yaml:"price_date"` // of the catalogue's prices
}

// Data is a table of published results.
type Data struct {
	File    string   `yaml:"file"`    // below published/
	Compare []string `yaml:"compare"` // machines whose comparison is shown, the baseline first; none: nothing is compared
	Of      string   `yaml:"of"`      // what it holds, in words
}

// Versions are those of engines, by the key of a run that holds them.
type Versions map[string]string

// Figure is one figure in which machines are ranked, or why they are not.
type Figure struct {
	Name     string   `yaml:"name"`
	Here     Selector `yaml:"here"`      // in a session of the article's suite
	There    Selector `yaml:"published"` // in the published data
	Each     bool     `yaml:"each_load"` // ranked at each number of CPUs or clients apart
	Differs  []string `yaml:"differs"`   // what differs although it is ranked
	Unranked string   `yaml:"unranked"`  // why the results stand beside each other without a rank; "": they are ranked
}

// Selector names the cells that hold a figure.
type Selector struct {
	Workload string `yaml:"workload"`
	Metric   string `yaml:"metric"`
	// Parameters, and load: the text of the load.
	Where map[string]string `yaml:"where"`
	// The cells that the figure is a share of: as Where, with these values instead. A share of a metric of which less is
	// better is the inverse, so that more of it is better.
	ShareOf map[string]string `yaml:"share_of"`
	Loads   []string          `yaml:"loads"` // any of these; none: any
}

// All returns the articles of a file system in the order of their list. An error names the file and what is wrong.
func All(files fs.FS) ([]Article, error) {
	var names []string
	if err := decode(files, ListFile, &names); err != nil {
		return nil, err
	}
	var out []Article
	for _, name := range names {
		a := Article{Name: name}
		file := path.Join(name, "article.yaml")
		if err := decode(files, file, &a); err != nil {
			return nil, err
		}
		if err := a.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, a)
	}
	return out, nil
}

func decode(files fs.FS, name string, into any) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("reading the articles: %w", err)
	}
	err = yaml.NewDecoder(bytes.NewReader(text), yaml.Strict(), yaml.DisallowUnknownField()).Decode(into)
	if err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	return nil
}

// check rejects an article that the page could not be made of.
func (a Article) check() error {
	for _, must := range []struct{ key, text string }{{"title", a.Title}, {"source", a.Source}, {"question", a.Question},
		{"answer", a.Answer}, {"takes", a.Takes}} {
		if must.text == "" {
			return fmt.Errorf("%s is missing", must.key)
		}
	}
	if !regexp.MustCompile(`^\d{4}(-\d{2})?$`).MatchString(a.Published) {
		return fmt.Errorf("published: %q is not a year, or a year and a month such as 2021-01", a.Published)
	}
	if len(a.Figures) == 0 || len(a.Differs) == 0 {
		return fmt.Errorf("an article needs figures, and what is not comparable in differs")
	}
	for _, f := range a.Figures {
		if f.Name == "" || f.Here.Workload == "" || f.Here.Metric == "" {
			return fmt.Errorf("a figure needs name, here.workload and here.metric: %q", f.Name)
		}
		if f.Unranked == "" && f.There.Workload == "" {
			return fmt.Errorf("%s: a figure without published results needs unranked, which says why", f.Name)
		}
		if f.Unranked == "" && (len(f.Here.ShareOf) > 0) != (len(f.There.ShareOf) > 0) {
			return fmt.Errorf("%s: a share cannot be ranked beside what is none", f.Name)
		}
	}
	return nil
}

// Command returns the command that repeats the article's measurement on one machine.
func (a Article) Command() string { return "plimsoll run " + a.Name }

// Year returns the year of the article.
func (a Article) Year() string { return a.Published[:len("2021")] }
