package record

import (
	"strings"
	"testing"
)

// TestOnly: a parameter without an effect beside other values is refused if it was set, with the reason and the remedy.
func TestOnly(t *testing.T) {
	started := Only{Param: "url", Is: []string{""}, To: "a server started for the run"}
	w := Workload{Name: "w", Params: append(Needing(started, []Param{
		{Name: "nodes", Kind: Int, Default: "1", Only: []Only{{Param: "server", Is: []string{"a", "b"}}}},
		{Name: "server", Kind: Enum, Default: "a"}}...), []Param{
		{Name: "url", Kind: Text}, {Name: "dsn", Kind: Text, Secret: SecretDSN},
		{Name: "user", Kind: Text, Only: []Only{{Param: "dsn", Not: []string{""}, Hint: "--dsn DSN"}}},
		{Name: "cache", Kind: Bool, Default: "true", Only: []Only{{Param: "dsn", Is: []string{""}}}},
		{Name: "size", Kind: Size, Default: "1B", Derive: func(vals Params) string { return vals["url"] + "B" },
			Only: []Only{{Param: "server", Not: []string{"c"}, To: "small servers"}}}}...)}
	for _, c := range []struct {
		set  Params
		want string
	}{
		{Params{}, ""},
		{Params{"nodes": "3", "server": "b"}, ""},
		{Params{"nodes": "1", "url": "http://h"}, ""},
		{Params{"nodes": "3", "url": "http://h"}, "w: nodes=3 applies only to a server started for the run, but " +
			"url=http://h\nhint: leave it out; if a suite sets it, --set w.nodes=1"},
		{Params{"nodes": "3", "server": "c"}, "w: nodes=3 applies only with server=a or server=b, but server=c\n" +
			"hint: leave it out; if a suite sets it, --set w.nodes=1"},
		{Params{"nodes": "3", "url": strings.Repeat("u", 41)}, "w: nodes=3 applies only to a server started for the run, " +
			"but url is set\nhint: leave it out; if a suite sets it, --set w.nodes=1"},
		{Params{"user": "me"}, "w: user=me applies only with dsn, but dsn isn't set\nhint: --dsn DSN"},
		{Params{"cache": "false", "dsn": "secret"}, "w: cache=false applies only without dsn, but dsn is set\n" +
			"hint: leave it out; if a suite sets it, --set w.cache=true"},
		{Params{"server": "c", "size": "B"}, ""}, // as derived
		{Params{"server": "c", "size": "2B"}, "w: size=2B applies only to small servers, but server=c\n" +
			"hint: leave it out; if a suite sets it, --set w.size=1B"},
	} {
		vals := w.Defaults()
		vals["size"] = "B"
		for name, v := range c.set {
			vals[name] = v
		}
		if vals["size"] == "B" {
			vals["size"] = vals["url"] + "B"
		}
		got := ""
		set := func(name string) bool { _, ok := c.set[name]; return ok }
		if err := w.Ineffective(set, vals); err != nil {
			got = err.Error()
		}
		met := w.Defaults()
		met["dsn"], met["url"] = "d", ""
		if c.set["cache"] != "" {
			met["dsn"] = ""
		}
		if err := w.Ineffective(set, vals, met); err != nil {
			t.Errorf("%v has an effect in another cell: %v", c.set, err)
		}
		if got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.set, got, c.want)
		}
	}
}
