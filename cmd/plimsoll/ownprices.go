package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/base/xdg"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/run/replace"
)

// catalogue returns the embedded catalogue with the user's own prices.
func (a *app) catalogue() (*catalog.Catalog, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	own, err := a.ownPrices(c)
	if err != nil {
		return nil, err
	}
	return c.With(own, today()), nil
}

// ownPricesPath returns the file of the user's own prices; "" without a home.
func (a *app) ownPricesPath() string {
	dir := xdg.Config().Dir(a.env)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "prices.csv")
}

func (a *app) ownPrices(c *catalog.Catalog) ([]catalog.Own, error) {
	path := a.ownPricesPath()
	text, err := input.ReadText(path, maxPrices)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil,
			input.Wrap(fmt.Errorf("reading your own prices: %w\nhint: make the file readable, or set XDG_CONFIG_HOME", err))
	}
	return c.ParseOwn(path, text, "", "")
}

// addOwn adds to the user's own prices and prints their file. Others may add at the same time.
func (a *app) addOwn(c *catalog.Catalog, newer []catalog.Own) error {
	path := a.ownPricesPath()
	if path == "" {
		return errors.New("no place for your own prices: neither HOME nor XDG_CONFIG_HOME is set\nhint: export " +
			"XDG_CONFIG_HOME=DIR")
	}
	if _, err := a.ownPrices(c); err != nil { // wrong input, before anything is made
		return err
	}
	err := replace.Locked(filepath.Dir(path), func() error {
		old, err := a.ownPrices(c)
		if err != nil {
			return err
		}
		text := catalog.FormatOwn(catalog.Merge(old, newer))
		return replace.File(path, 0o600, func(w io.Writer) error { _, err := w.Write(text); return err })
	})
	if err != nil {
		return fmt.Errorf("writing your own prices: %w\nhint: XDG_CONFIG_HOME puts them elsewhere", err)
	}
	for _, o := range newer {
		if o.Date > today() {
			fmt.Fprintf(a.said, "%s costs %g USD per hour from %s on\n", o.Name, o.PerHour, o.Date)
			continue
		}
		fmt.Fprintf(a.said, "%s costs %g USD per hour (%s)\n", o.Name, o.PerHour, o.Date)
	}
	fmt.Fprintf(a.said, "saved in %s\n", path)
	return nil
}

// unknownVerb returns the error for an unknown command below another.
func unknownVerb(cmd *cobra.Command, name string) error {
	if synonym := map[string]string{"show": "list", "ls": "list", "add": "set", "diff": "compare"}[name]; synonym != "" {
		return usagef("unknown command %q\nhint: did you mean %[2]s? plimsoll %[2]s --help", cmd.Name()+" "+name,
			cmd.Name()+" "+synonym)
	}
	return usage.Within(cmd.Name()+" ", "command", name, verbs(cmd))
}
