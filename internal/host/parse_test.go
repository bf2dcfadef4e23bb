package host

import (
	"errors"
	"io/fs"
	"reflect"
	"syscall"
	"testing"
)

func TestParseNumbers(t *testing.T) {
	size := func(s string) (any, error) { return parseKernelSize([]byte(s)) }
	quota := func(s string) (any, error) { return parseCPUMax([]byte(s)) }
	memory := func(s string) (any, error) { return parseMemoryMax([]byte(s)) }
	delay := func(s string) (any, error) { return parseSchedstat([]byte(s)) }
	tests := []struct {
		parse func(string) (any, error)
		in    string
		want  any
	}{
		{size, "32K\n", int64(32 << 10)}, {size, "512", int64(512)}, {size, "1G", int64(1 << 30)},
		{size, "K", nil}, {size, "-1K", nil}, {size, "1KK", nil}, {size, "9223372036854775807K", nil}, {size, "", nil},
		{quota, "150000 100000\n", 1.5}, {quota, "max 100000", 0.0}, {quota, "-1 100000", 0.0},
		{quota, "1 0", nil}, {quota, "max", nil}, {quota, "x 1", nil},
		{memory, "max\n", int64(0)}, {memory, "9223372036854771712\n", int64(0)}, {memory, "4096", int64(4096)}, {memory, "-1", nil},
		{delay, "390759 107731000 2\n", 0.107731}, {delay, "1 2", nil}, {delay, "1 x 2", nil},
	}
	for _, tt := range tests {
		got, err := tt.parse(tt.in)
		if (err == nil) != (tt.want != nil) || tt.want != nil && got != tt.want {
			t.Errorf("%q: %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseFlat(t *testing.T) {
	got, err := parseFlat([]byte("a 1\n\nb 18446744073709551615\n"))
	if err != nil || !reflect.DeepEqual(got, map[string]uint64{"a": 1, "b": 1<<64 - 1}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, in := range []string{"a\n", "a -1\n", "a 1 2\n", "a x\n"} {
		if got, err := parseFlat([]byte(in)); err == nil {
			t.Errorf("%q: %v, want an error", in, got)
		}
	}
}

func TestParseOSRelease(t *testing.T) {
	for in, want := range map[string]string{
		"ID=x\nPRETTY_NAME=Alpine\n":            "Alpine",
		`PRETTY_NAME="a \"b\" \$c"`:             `a "b" $c`,
		`PRETTY_NAME='single \x'`:               `single \x`,
		"PRETTY_NAME=\"unbalanced\nVERSION=1\n": `"unbalanced`,
	} {
		if got, err := parseOSRelease([]byte(in)); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	if _, err := parseOSRelease([]byte("ID=x\n")); err == nil {
		t.Error("no PRETTY_NAME must be an error")
	}
}

func TestParseMembership(t *testing.T) {
	got, err := parseMembership([]byte("3:cpu,cpuacct:/a:b\n1:name=systemd:/\n0::/x\n"))
	want := []membership{{[]string{"cpu", "cpuacct"}, "/a:b"}, {[]string{"name=systemd"}, "/"}, {nil, "/x"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, in := range []string{"0:/x\n", "0::x\n", "junk"} {
		if _, err := parseMembership([]byte(in)); err == nil {
			t.Errorf("%q: want an error", in)
		}
	}
}

func TestUnknownArmCoreKeepsItsNumbers(t *testing.T) {
	all, err := parseCPUInfo([]byte("processor: 0\nCPU implementer: 0x99\nCPU part: 0x00f\nCPU variant: 0x2\nCPU revision: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := summarise(all)
	if got.Vendor != "implementer 0x99" || got.Model != "implementer 0x99 part 0x00f r2p3" {
		t.Errorf("%q %q", got.Vendor, got.Model)
	}
	for _, in := range []string{"", "CPU part: 1\n", "processor: 0\nCPU part: 0xfffff\n", "processor: 0\ncpu MHz: fast\n"} {
		if _, err := parseCPUInfo([]byte(in)); err == nil {
			t.Errorf("%q: want an error", in)
		}
	}
}

func TestNotHere(t *testing.T) {
	for err, want := range map[error]bool{
		fs.ErrNotExist: true, syscall.EOPNOTSUPP: true, errors.Join(errors.New("x"), syscall.ENOENT): true,
		fs.ErrPermission: false, syscall.EIO: false,
	} {
		if NotHere(err) != want {
			t.Errorf("NotHere(%v) is not %v", err, want)
		}
	}
	if NotHere(nil) {
		t.Error("no error is not an absence")
	}
}
