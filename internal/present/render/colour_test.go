package render

import (
	"fmt"
	"math"
	"regexp"
	"testing"

	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/present/media/html"
	"plimsoll/internal/record/block"
)

// contrast is that of WCAG 2.1, section 1.4.3: (L1 + 0.05) / (L2 + 0.05).
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	rgb := linear(t, hex)
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}

// linear is a colour's light, red, green and blue from 0 to 1.
func linear(t *testing.T, hex string) [3]float64 {
	t.Helper()
	var rgb [3]uint8
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	var out [3]float64
	for i, c := range rgb {
		v := float64(c) / 255
		if out[i] = math.Pow((v+0.055)/1.055, 2.4); v <= 0.04045 {
			out[i] = v / 12.92
		}
	}
	return out
}

// palettes are the page's colours on a light screen, a dark one, and paper.
func palettes(t *testing.T) []map[string]string {
	t.Helper()
	css, err := html.Assets.ReadFile("assets/page.css")
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, block := range regexp.MustCompile(`:root \{([^}]*)\}`).FindAllStringSubmatch(string(css), -1) {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+): (#\w{6})`).FindAllStringSubmatch(block[1], -1) {
			colours[m[1]] = m[2]
		}
		out = append(out, colours)
	}
	if len(out) != 3 {
		t.Fatalf("%d sets of colours, want light, dark and print", len(out))
	}
	return out
}

func TestLabelsHaveContrast(t *testing.T) {
	for i, colours := range palettes(t) {
		labels := []string{"text", "soft", "good", "bad", "warn"}
		for k := range block.SeriesColours {
			labels = append(labels, fmt.Sprintf("s%d", k))
		}
		for _, name := range labels {
			if got := contrast(t, colours[name], colours["paper"]); got < 4.5 {
				t.Errorf("set %d: %s has a contrast of %.2f on the paper, WCAG AA asks for 4.5", i, name, got)
			}
		}
		names := []string{"match", "more", "less"}
		for k := range len(profile.ColouredCategories()) + 1 {
			names = append(names, fmt.Sprintf("k%d", k))
		}
		for _, name := range names {
			if got := contrast(t, colours["text"], colours[name]); got < 4.5 {
				t.Errorf("set %d: a function's name has a contrast of %.2f on a frame of %s, WCAG AA asks for 4.5", i, got, name)
			}
		}
		for _, zone := range []string{"zone-cache", "zone-between", "zone-dram", "zone-checkpoint", "zone-vacuum"} {
			if got := contrast(t, colours["soft"], colours[zone]); got < 4.5 {
				t.Errorf("set %d: a name has a contrast of %.2f in %s, WCAG AA asks for 4.5", i, got, zone)
			}
		}
	}
}

// sight is how an eye that lacks a kind of cone sees linear RGB (Machado, Oliveira
// and Fernandes 2009, severity 1).
type sight [3][3]float64

func sights() map[string]sight {
	return map[string]sight{
		"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"no red":    {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
		"no green":  {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.01182, .04294, .968881}},
		"no blue":   {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .3039}},
	}
}

// lab is a colour as seen, in CIELAB under D65.
func (s sight) lab(rgb [3]float64) [3]float64 {
	var seen [3]float64
	for i, row := range s {
		seen[i] = min(max(row[0]*rgb[0]+row[1]*rgb[1]+row[2]*rgb[2], 0), 1)
	}
	f := func(v float64) float64 {
		if v > .008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x := f((.4124*seen[0] + .3576*seen[1] + .1805*seen[2]) / .95047)
	y := f(.2126*seen[0] + .7152*seen[1] + .0722*seen[2])
	z := f((.0193*seen[0] + .1192*seen[1] + .9505*seen[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// difference is Delta E of 1976: 2.3 is the least that is seen.
func (s sight) difference(a, b [3]float64) float64 {
	p, q := s.lab(a), s.lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// TestMachinesAreToldApart by every eye.
func TestMachinesAreToldApart(t *testing.T) {
	const least = 20
	for set, colours := range palettes(t) {
		for name, s := range sights() {
			for i := range block.SeriesColours {
				for k := range i {
					a, b := colours[fmt.Sprintf("s%d", i)], colours[fmt.Sprintf("s%d", k)]
					if got := s.difference(linear(t, a), linear(t, b)); got < least {
						t.Errorf("set %d, %s: %s and %s differ by %.1f, want %d", set, name, a, b, got, least)
					}
				}
			}
		}
	}
}

func TestContrastOfKnownColours(t *testing.T) {
	if got := contrast(t, "#000000", "#ffffff"); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white has %v, want 21", got)
	}
}
