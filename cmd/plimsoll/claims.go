package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"plimsoll/examples"
	"plimsoll/internal/analysis/claims"
	"plimsoll/internal/base/input"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
)

func (a *app) claimsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "claims [DIR]",
		Example: `  plimsoll claims
  plimsoll claims examples/my-article
  plimsoll claims --json`,
		Short: "check the figures and claims of articles",
		Long: `Recomputes the derived figures of articles and checks their claims. DIR has tables of
facts and claims, and of measurements as import reads them, directly or in its folders;
docs/claims.md describes them.
Without DIR, it checks the five embedded articles.

  holds       the computed figure is within the stated bound
  exact       it rounds to the stated figure, and differs by at most 0.01%
  rounded     it rounds to the stated figure
  loose       it doesn't, or misses a bound by at most 5%, but isn't wrong
  wrong       of another unit (1000 or 1024), base or sign, off by a factor of two, or misses a bound by over 5%
  not stated  the article omits the figure (info in JSON)

The exit code is 0, also with wrong claims. It is 2 if a table has errors: the first 20 are printed with file and
line.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("claims takes one directory, got %d\nhint: a directory may have a folder for each article", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.checkClaims(args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) checkClaims(args []string, asJSON bool) error {
	dir, files := "examples", examples.Files()
	if len(args) == 1 {
		dir, files = args[0], os.DirFS(args[0])
	}
	tables, err := readTables(dir, files)
	if err != nil {
		return err
	}
	c, err := catalog.Embedded() // without the user's own prices, which the article did not use
	if err != nil {
		return err
	}
	var builtIn []claims.File
	if len(args) == 1 {
		if builtIn, err = readTables("examples", examples.Files()); err != nil {
			return err
		}
	}
	report, err := claims.Check(tables, builtIn, c)
	if err != nil {
		return err
	}
	for _, name := range report.Skipped {
		fmt.Fprintf(a.stderr, "plimsoll: %s was left out: it has columns neither of facts (id, value) nor of claims "+
			"(id, formula) nor of measurements (machine, metric, value, unit)\n", name)
	}
	if len(report.Claims) == 0 {
		return usagef("no claims in %s\nhint: docs/claims.md describes facts.csv and claims.csv", dir)
	}
	if asJSON {
		return json.Write(a.stdout, report)
	}
	return render.Claims(a.stdout, a.style(), report)
}

// readTables reads the CSV files of a directory and of its folders.
func readTables(dir string, files fs.FS) ([]claims.File, error) {
	info, err := fs.Stat(files, ".")
	if err != nil || !info.IsDir() {
		return nil, unreadableTable(dir, err)
	}
	var out []claims.File
	for _, pattern := range []string{"*.csv", "*/*.csv"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", dir, err)
		}
		for _, name := range names {
			text, err := readTable(files, name)
			if err != nil {
				return nil, unreadableTable(filepath.Join(dir, name), err)
			}
			out = append(out, claims.File{Name: filepath.Join(dir, name), Text: text})
		}
	}
	return out, nil
}

// unreadableTable returns the error for a path that is not a directory of tables; a nil cause stands for a path of
// another kind.
func unreadableTable(path string, cause error) error {
	var detail *fs.PathError
	if errors.As(cause, &detail) {
		cause = detail.Err // it repeats the path below the directory
	}
	if cause == nil {
		cause = errors.New("not a directory")
	}
	return input.Wrap(fmt.Errorf("reading claims: %s: %w\nhint: plimsoll claims DIR reads the CSV files in DIR and "+
		"in its folders", path, cause))
}

// readTable reads no more than claims.Check accepts, and does not wait for pipes.
func readTable(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a file")
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, claims.MaxFile+1))
}
