package owed

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestKeepsUntilForgotten: what was found is there for the next process, whole or not at all.
func TestKeepsUntilForgotten(t *testing.T) {
	dir := t.TempDir()
	f := In(dir, "a")
	if got, err := f.Found(); err != nil || len(got) != 0 {
		t.Errorf("before anything: %v, %v", got, err)
	}
	want := map[string]string{"/sys/x": "none", "y": "it's \"so\"\n"}
	for range 2 { // again and again
		if err := f.Keep(want); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(string(In(dir, "b"))+".part", []byte("{"), 0o600); err != nil {
		t.Fatal(err) // of one that was killed as it wrote
	}
	if all, err := All(dir); err != nil || !reflect.DeepEqual(all, []File{f}) {
		t.Errorf("%v, %v", all, err)
	}
	if got, err := f.Found(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for range 2 {
		if err := f.Forget(); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := All(dir); len(all) > 0 {
		t.Errorf("%v is still there", all)
	}
}

func TestDamagedOrUnwritable(t *testing.T) {
	f := In(t.TempDir(), "a")
	if err := os.WriteFile(string(f), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Found(); err == nil {
		t.Error("half a file was read")
	}
	if err := In(filepath.Join(t.TempDir(), "none"), "a").Keep(nil); err == nil {
		t.Error("it was kept nowhere")
	}
}
