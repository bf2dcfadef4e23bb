package asyncprofiler

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func TestFrames(t *testing.T) {
	for text, want := range map[string]record.Frame{
		"java/lang/Thread.run_[j]": {Function: "java.lang.Thread.run", Module: record.ModuleJava,
			Code: record.Compiled},
		"Spin$$Lambda$208.run_[0]": {Function: "Spin$$Lambda.run", Module: record.ModuleJava,
			Code: record.Interpreted},
		"a/B$$Lambda$7/0x0001.run_[i]": {Function: "a.B$$Lambda.0x0001.run", Module: record.ModuleJava,
			Code: record.Inlined},
		"jbyte_arraycopy_[1]": {Function: "jbyte_arraycopy", Module: record.ModuleJava,
			Code: record.Compiled1},
		"counterMode_AESCrypt":                  {Function: "counterMode_AESCrypt", Module: record.ModuleJava},
		"do_syscall_64_[k]":                     {Function: "do_syscall_64", Module: record.ModuleKernel},
		"[kernel]`tcp_ack_[k]":                  {Function: "tcp_ack", Module: record.ModuleKernel},
		"libjvm.so`void W::weak<G1STW, G1Keep>": {Function: "void W::weak<G1STW, G1Keep>", Module: "libjvm.so"},
		"libc.so.6`clock_gettime@@GLIBC_2.17":   {Function: "clock_gettime", Module: "libc.so.6"},
		"libzstd.so.1":                          {Module: "libzstd.so.1"},
		"[unknown]":                             {},
		"[not_walkable_Java]":                   {},
		"libx.so`[unknown]":                     {Module: "libx.so"},
		"monitorenter_nofpu Runtime1 stub":      {Function: "monitorenter_nofpu Runtime1 stub", Module: record.ModuleJava},
	} {
		if got := frameOf(text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestRealSamples: see testdata/README.md.
func TestRealSamples(t *testing.T) {
	f, err := os.Open("testdata/spin.collapsed")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := parseCollapsed(f)
	if err != nil || len(got) != 8 {
		t.Fatalf("%d stacks, %v", len(got), err)
	}
	first := got[0]
	if first.Thread != "the spinner" || first.Tid != 12478 || first.N != 2 ||
		first.Frames[0] != (record.Frame{Function: "write_null", Module: record.ModuleKernel}) ||
		!reflect.DeepEqual(first.Frames[len(first.Frames)-2:],
			[]record.Frame{{Function: "Spin$$Lambda.run", Module: record.ModuleJava},
				{Function: "java.lang.Thread.run", Module: record.ModuleJava}}) {
		t.Errorf("%+v", first)
	}
	if at := slices.IndexFunc(first.Frames, func(f record.Frame) bool { return f.Code != "" }); at < 0 ||
		first.Frames[at].Function != "java.io.FileOutputStream.writeBytes" || first.Frames[at].Code != record.Compiled {
		t.Errorf("the innermost method is not the one whose code is known: %+v", first)
	}
	threads := map[string]bool{}
	for _, k := range got {
		threads[k.Thread] = true
	}
	if !reflect.DeepEqual(threads, map[string]bool{"the spinner": true, "C2 CompilerThre": true, "VM Thread": true,
		"main": true}) {
		t.Errorf("%v", threads)
	}
}

func TestWhatIsNoSample(t *testing.T) {
	for _, text := range []string{"[a tid=1];b", "12", "a x", "a -1", strings.Repeat("x", maxLine+1)} {
		if _, err := parseCollapsed(strings.NewReader(text)); err == nil {
			t.Errorf("took %.20q", text)
		}
	}
	if got, err := parseCollapsed(strings.NewReader("\na 3\n")); err != nil || len(got) != 1 || got[0].N != 3 ||
		got[0].Thread != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatARuntimeAnswers(t *testing.T) {
	for text, want := range map[string]string{
		"0\nreturn code: 0\n": "", "0\n0\n": "", "0\n": "",
		"0\nreturn code: 200\n":          "failed: return code: 200",
		"-1\n/nowhere was not loaded.\n": "refused: -1",
		"101\n":                          "refused: 101",
		"":                               "refused",
	} {
		err := parseAnswer(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestStatusOfAProcess(t *testing.T) {
	const head = "Name:\tjava\nPid:\t4321\nNSpid:\t4321\t7\n"
	for text, want := range map[string]struct {
		inner int
		quits bool
	}{
		head + "SigCgt:\t2000000181005ccf\n":                   {7, false},
		head + "SigCgt:\t0000000000000000\n":                   {7, true},
		"Name:\tjava\nPid:\t4321\nSigCgt:\t0000000000000004\n": {4321, false},
	} {
		inner, quits, err := parseStatus(text)
		if err != nil || inner != want.inner || quits != want.quits {
			t.Errorf("%q: %d, %t, %v", text, inner, quits, err)
		}
	}
	for _, text := range []string{"", head, "NSpid:\tx\n"} {
		if _, _, err := parseStatus(text); err == nil {
			t.Errorf("took %q", text)
		}
	}
}

func FuzzCollapsed(f *testing.F) {
	f.Add("[a b tid=1];java/lang/Thread.run_[j];libc.so.6`write;do_syscall_64_[k] 3\n")
	f.Add("a$$Lambda$1_[0] 1")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseCollapsed(strings.NewReader(text))
		if err == nil && len(got) > strings.Count(text, "\n")+1 {
			t.Errorf("%d stacks of %q", len(got), text)
		}
		_ = parseAnswer(text)
		_, _, _ = parseStatus(text)
	})
}
