package completion

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/catalog"
)

// offered completes families and, once a family is typed or no other begins so, its instance types.
func (k Known) offered(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	c, err := k.Catalogue()
	if err != nil {
		return nil, names
	}
	families := c.Families()
	begin := list.Filter(families, func(f string) bool { return strings.HasPrefix(f, toComplete) })
	family, _, whole := strings.Cut(toComplete, ".")
	if len(begin) == 1 {
		family, whole = begin[0], true
	}
	if whole || slices.Contains(begin, family) {
		begin = append(begin, typesOf(c, family)...)
	}
	return others(begin, args), names
}

// typesOf returns the types of a family; none if there is no such family.
func typesOf(c *catalog.Catalog, family string) []string {
	types, err := c.Family(family)
	if err != nil {
		return nil
	}
	return list.Map(types, func(t catalog.Type) string { return t.Name })
}

// priced completes TYPE=PRICE up to the price.
func (k Known) priced(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(toComplete, "=") {
		return nil, names
	}
	c, err := k.Catalogue()
	if err != nil {
		return nil, names
	}
	var types []string
	for _, t := range c.Types() {
		if strings.HasPrefix(t.Name, toComplete) {
			types = append(types, t.Name+"=")
		}
	}
	return types, begun
}

// dates completes the dates of the catalogue's prices.
func (k Known) dates(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	c, err := k.Catalogue()
	if err != nil {
		return nil, names
	}
	return c.Dates(), names
}
