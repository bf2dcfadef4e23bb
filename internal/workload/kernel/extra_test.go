package kernel

import "testing"

func TestExtraOperationsAddUp(t *testing.T) {
	w := &work{}
	l := &Lane{Work: w, Batch: 7, Extra: .05}
	for range 100 {
		if err := l.runExtra(); err != nil {
			t.Fatal(err)
		}
	}
	if w.ran < 34 || w.ran > 35 {
		t.Errorf("%d extra operations beside 700, want 5%%", w.ran)
	}
	l.Extra, w.ran = 0, 0
	if err := l.runExtra(); err != nil || w.ran != 0 {
		t.Errorf("%d operations that nobody asked for, %v", w.ran, err)
	}
}
