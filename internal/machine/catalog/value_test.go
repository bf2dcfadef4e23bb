package catalog

import (
	"math"
	"strings"
	"testing"
)

func valueOf(t *testing.T, o Offer, what string) Value {
	t.Helper()
	for _, v := range o.Values {
		if v.What == what {
			return v
		}
	}
	t.Fatalf("nothing of %q in %+v", what, o.Values)
	return Value{}
}

// TestArticleClaims recomputes what the Redpanda article says of i3en and
// is4gen from the catalogue: claims RP2 to RP7 of derived_claims.csv, in percent more
// per dollar on the type named second.
func TestArticleClaims(t *testing.T) {
	c := embedded(t)
	for _, date := range []string{"2021-10", ""} {
		for _, claim := range []struct {
			id, a, b, what string
			percent        float64
		}{
			{"RP2", "i3en.xlarge", "is4gen.xlarge", "core", 56.8627},
			{"RP3", "is4gen.xlarge", "i3en.xlarge", "vcpu", 27.5},
			{"RP4", "is4gen.xlarge", "i3en.xlarge", "memory", 70},
			{"RP5", "i3en.xlarge", "is4gen.xlarge", "nvme", 17.6471},
			{"RP6", "i3en.12xlarge", "is4gen.8xlarge", "network", 17.6471},
			{"RP6b", "i3en.xlarge", "is4gen.xlarge", "network", 16.7134},
		} {
			got, err := c.Compare(claim.a, claim.b, date)
			if err != nil || len(got.Pairs) != 1 {
				t.Fatalf("%s: %+v, %v", claim.id, got, err)
			}
			ratio := valueOf(t, got.Pairs[0], claim.what).Ratio
			if percent := 100 * (ratio.Value - 1); !ratio.Known || math.Abs(percent-claim.percent) > 1e-4 {
				t.Errorf("%s at %q: %.4f %% more, want %.4f", claim.id, date, percent, claim.percent)
			}
		}
	}
}

func TestOffer(t *testing.T) {
	c := embedded(t)
	o, err := c.Offer(typ(t, c, "i3en.xlarge"), typ(t, c, "is4gen.xlarge"), "2021-10")
	if err != nil {
		t.Fatal(err)
	}
	if v := valueOf(t, o, "network"); math.Abs(v.A.Value-.525*3600/.452) > 1e-9 || v.Unit != "GB/$" {
		t.Errorf("4200 Mbit/s at 0.452 USD per hour is %+v", v)
	}
	if len(o.Warnings) != 1 || !strings.Contains(o.Warnings[0],
		"threads per core are 2 on i3en.xlarge and 1 on is4gen.xlarge") {
		t.Errorf("warnings %q", o.Warnings)
	}
	if o, _ := c.Offer(typ(t, c, "c5.large"), typ(t, c, "c6i.large"), ""); len(o.Warnings) != 0 ||
		valueOf(t, o, "nvme").Ratio.Known {
		t.Errorf("like types without known disks: %+v", o)
	}
	if o, _ := c.Offer(typ(t, c, "m8g.large"), typ(t, c, "m9g.large"), ""); len(o.Warnings) != 1 ||
		!strings.Contains(o.Warnings[0], "cores of m9g.large are unknown") {
		t.Errorf("unknown cores: %q", o.Warnings)
	}
}

// TestOfferOfPower: the article's ratio of Graviton2 to EPYC, marked an estimate.
func TestOfferOfPower(t *testing.T) {
	c := embedded(t)
	o, err := c.Offer(typ(t, c, "c5a.24xlarge"), typ(t, c, "m6g.16xlarge"), "")
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string][2]float64{"power per vcpu": {280. / 96, 1.8}, "power per core": {280. / 48, 1.8}} {
		v := valueOf(t, o, what)
		if math.Abs(v.A.Value-want[0]) > 1e-9 || math.Abs(v.B.Value-want[1]) > 1e-9 || !v.Estimate {
			t.Errorf("%s: %+v, want %v and an estimate", what, v, want)
		}
	}
}

func TestCompareFamilies(t *testing.T) {
	c := embedded(t)
	got, err := c.Compare("i3en", "is4gen", "2021-10")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range got.Pairs {
		names = append(names, p.A.Name+" "+p.B.Name)
	}
	if want := "i3en.large is4gen.large,i3en.xlarge is4gen.xlarge,i3en.2xlarge is4gen.2xlarge"; strings.Join(names,
		",") != want {
		t.Errorf("matched %q, want %q", names, want)
	}
	if all := strings.Join(got.Warnings, "; "); !strings.Contains(all, "i3en.12xlarge") ||
		!strings.Contains(all, "is4gen.8xlarge") || strings.Contains(all, "2xlarge, i3en.2xlarge") {
		t.Errorf("warnings %q", got.Warnings)
	}
	cross, err := c.Compare("m8g", "c4a-standard", "")
	if err != nil || len(cross.Pairs) == 0 || cross.Pairs[0].A.VCPUs != cross.Pairs[0].B.VCPUs ||
		!strings.Contains(cross.Warnings[0], "same number of vCPUs") {
		t.Errorf("two clouds: %+v, %v", cross.Warnings, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	c := embedded(t)
	for _, q := range []struct{ a, b, date, want string }{
		{"i3en", "is4gen.xlarge", "", "a type and a family"},
		{"i3en.xlarge", "is4gen.xlrage", "", "is4gen.xlarge"},
		{"i3en", "is4gen", "1999", "no price for \"1999\""},
		{"c5.xlarge", "c7g.xlarge", "2021-10", "c7g.xlarge has no price for 2021-10\nhint: it has prices for 2026-07-20"},
		{"c5", "c7g", "2021-10", "has no price for 2021-10"},
		{"D8ps_v6", "D8ps_v5", "", "the price of D8ps_v6 is unknown\nhint: plimsoll prices set D8ps_v6=PRICE"},
		{"t3", "c4a-highmem-metal", "", "no size in common"},
	} {
		if _, err := c.Compare(q.a, q.b, q.date); err == nil || !strings.Contains(err.Error(), q.want) {
			t.Errorf("%s and %s at %q: %v, want %q", q.a, q.b, q.date, err, q.want)
		}
	}
}
