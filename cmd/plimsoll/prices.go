package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
)

func (a *app) pricesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "prices",
		Example: `  plimsoll prices list
  plimsoll prices compare m5d.8xlarge m6gd.8xlarge
  plimsoll prices set c6i.2xlarge=0.29 --source 'our contract'`,
		Short: "show the catalogue of instance types and their prices",
		Args:  a.knownPart,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.help(cmd) },
	}
	cmd.AddCommand(a.pricesListCommand(), a.pricesLintCommand(), a.pricesCompareCommand(), a.pricesSetCommand(),
		a.pricesImportCommand())
	return cmd
}

type pricesOptions struct {
	date   string
	asJSON bool
}

func (o *pricesOptions) flags(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&o.date, "date", "",
		"use the prices at this `DATE`, such as 2021-10 (default your own, else the newest)")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) pricesListCommand() *cobra.Command {
	var o pricesOptions
	return o.flags(&cobra.Command{
		Use: "list [FAMILY|TYPE]...",
		Example: `  plimsoll prices list
  plimsoll prices list m6g c6i.2xlarge
  plimsoll prices list m6g --date 2021-10 --json`,
		Short: "list instance types with their resources and prices",
		RunE:  func(_ *cobra.Command, args []string) error { return a.listPrices(o, args) },
	})
}

// priceList is the document of `prices list --json`.
type priceList struct {
	Date  string         `json:"date"` // requested date
	Types []catalog.Type `json:"types"`
}

func (a *app) listPrices(o pricesOptions, names []string) error {
	c, err := a.catalogue()
	if err != nil {
		return err
	}
	if err := c.CheckDate(o.date); err != nil {
		return err
	}
	types := c.Types()
	if len(names) > 0 {
		types = nil
	}
	for _, name := range names {
		got, err := c.Select(name)
		if err != nil {
			return err
		}
		types = append(types, got...)
	}
	switch {
	case o.asJSON:
		return json.Write(a.stdout, priceList{o.date, types})
	case len(names) == 0:
		return render.Families(a.stdout, a.style(), types, o.date)
	}
	return render.Types(a.stdout, a.style(), types, o.date)
}

func (a *app) pricesCompareCommand() *cobra.Command {
	var o pricesOptions
	return o.flags(&cobra.Command{
		Use: "compare A B",
		Example: `  plimsoll prices compare m5d m6gd
  plimsoll prices compare m5d.8xlarge m6gd.8xlarge
  plimsoll prices compare m5d m6gd --date 2021-10 --json`,
		Short: "compare two types or families per dollar",
		Long:  "Compares vCPUs, cores, memory, disks and network per dollar of two types or families. A is the baseline.",
		Args:  twoNames,
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := a.catalogue()
			if err != nil {
				return err
			}
			got, err := c.Compare(args[0], args[1], o.date)
			if err != nil {
				return err
			}
			if o.asJSON {
				return json.Write(a.stdout, got)
			}
			return render.Offers(a.stdout, a.style(), got)
		},
	})
}

func twoNames(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		pair := append(slices.Clone(args), "m5d.8xlarge", "m6gd.8xlarge")[:2]
		return usagef("prices compare needs two types or two families, got %d\nhint: plimsoll prices compare %s", len(args),
			strings.Join(pair, " "))
	}
	return nil
}

// priceFindings is the document of `prices lint --json`.
type priceFindings struct {
	Types    int               `json:"types"`
	Rules    []string          `json:"rules"`
	Findings []catalog.Finding `json:"findings"`
}

func (a *app) pricesLintCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "lint",
		Example: `  plimsoll prices lint
  plimsoll prices lint --json
  XDG_CONFIG_HOME=/srv/team plimsoll prices lint`,
		Short: "validate the catalogue and your own prices; exit 1 on a violation",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return a.lintPrices(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) lintPrices(asJSON bool) error {
	c, err := a.catalogue()
	if err != nil {
		return err
	}
	findings := c.Lint()
	if asJSON {
		err = json.Write(a.stdout, priceFindings{len(c.Types()), catalog.Rules(), findings})
	} else {
		err = render.Findings(a.stdout, a.style(), findings, len(c.Types()))
	}
	if err != nil {
		return err
	}
	broken := 0
	for _, f := range findings {
		if f.Excuse == "" {
			broken++
		}
	}
	if broken > 0 {
		return fmt.Errorf("the catalogue breaks its rules %d times\nhint: plimsoll prices set NAME=PRICE corrects a "+
			"price of your own", broken)
	}
	return nil
}

func (a *app) pricesSetCommand() *cobra.Command {
	var source string
	cmd := &cobra.Command{
		Use: "set TYPE=PRICE...",
		Example: `  plimsoll prices set c6i.2xlarge=0.29
  plimsoll prices set m6g.large=0.05 m6i.large=0.06
  plimsoll prices set c6i.2xlarge=0.29 --source 'our contract'`,
		Short: "set your own prices, in USD per hour; they override the catalogue's",
		RunE:  func(_ *cobra.Command, args []string) error { return a.setPrices(args, source) },
	}
	cmd.Flags().StringVar(&source, "source", "set by hand", "`SOURCE` of the prices")
	return cmd
}

func (a *app) setPrices(args []string, source string) error {
	if len(args) == 0 {
		return usagef("prices set needs TYPE=PRICE\nhint: plimsoll prices set c6i.2xlarge=0.29")
	}
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	var own []catalog.Own
	for _, arg := range args {
		name, price, ok := strings.Cut(arg, "=")
		if !ok {
			meant := "c6i.2xlarge=0.29"
			if _, err := strconv.ParseFloat(args[len(args)-1], 64); err == nil && len(args) == 2 {
				meant = args[0] + "=" + args[1]
			}
			return usagef("%q must be TYPE=PRICE\nhint: plimsoll prices set %s", arg, meant)
		}
		o, err := c.NewOwn(name, price, today(), source)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(own, func(p catalog.Own) bool { return p.Name == o.Name }) {
			return usagef("%s has two prices\nhint: plimsoll prices set %s", o.Name, arg)
		}
		own = append(own, o)
	}
	return a.addOwn(c, own)
}

func (a *app) pricesImportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE.csv",
		Example: `  plimsoll prices import prices.csv
  plimsoll prices import contract/2026.csv
  XDG_CONFIG_HOME=/srv/team plimsoll prices import prices.csv`,
		Short: "import your own prices from CSV",
		Long:  "Imports your own prices from CSV with the columns name, usd_per_hour and optionally date, source.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("prices import needs one file of CSV, got %d\nhint: its first line is name,usd_per_hour", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.importPrices(args[0]) },
	}
}

// maxPrices bounds the bytes of a file of prices: 30,000 lines.
const maxPrices = 1 << 20

func (a *app) importPrices(path string) error {
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	text, err := input.ReadText(path, maxPrices)
	if usage.Is(err) {
		return err
	}
	if err != nil {
		return input.Wrap(fmt.Errorf("reading prices: %w\nhint: its first line is name,usd_per_hour", err))
	}
	own, err := c.ParseOwn(path, text, today(), filepath.Base(path))
	if err != nil {
		return err
	}
	return a.addOwn(c, own)
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// knownPart validates the arguments of `prices` without a verb.
func (a *app) knownPart(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if c, err := a.catalogue(); err == nil {
		if _, err := c.Select(args[0]); err == nil {
			part := "list"
			if len(args) == 2 {
				part = "compare"
			}
			return usagef("%q is an instance type or family, not a command\nhint: plimsoll prices %s %s", args[0], part,
				strings.Join(args, " "))
		}
	}
	return unknownVerb(cmd, args[0])
}
