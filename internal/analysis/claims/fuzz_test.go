package claims

import (
	"errors"
	"math"
	"testing"
	"unicode/utf8"

	"plimsoll/internal/base/usage"
)

// FuzzEvaluate: any text is a finite number, or an error at one of its places.
func FuzzEvaluate(f *testing.F) {
	for _, s := range []string{"(1-{a}/{pg.rw.c4a-standard-8})*100", "1e9/2**-40", "--2**3**.5e1", "{", "((((", "1/0", "é",
		"2^3,%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := evaluate(text, names)
		var fault formulaError
		switch {
		case err == nil && (math.IsNaN(v) || math.IsInf(v, 0)):
			t.Errorf("%q gave %v", text, v)
		case err != nil && (!errors.As(err, &fault) || fault.column < 1 || fault.column > utf8.RuneCountInString(text)+1):
			t.Errorf("%q: %v", text, err)
		}
	})
}

// FuzzCheck: any two tables are refused with a usage.Error or give a verdict and a
// finite figure for every claim.
func FuzzCheck(f *testing.F) {
	// Large seeds would keep the fuzzer at making them small.
	f.Add([]byte("id,value,unit\na,2.5,s\nb,1.1.1k,version\n"),
		[]byte("id,source,claim,stated,unit,formula\nA,x,w,1.5e-3,MiB/s,1/{a}\nB,x,,0,%,{b}\n"))
	f.Add([]byte("\ufeffFact_ID,value,unit,\r\na,-2,s,\r\n"),
		[]byte("formula,id,source,claim,stated,unit,note\n(1-{a}/{cat.c5.large.vcpu})*100,\"A\"\"\",x,w,25,%,n\n"))
	f.Add([]byte("id,value,unit\na,0,s\n"), []byte("id,source,claim,stated,unit,formula\n\"A\nB\",x,w,,%,2**{a}\n"))
	f.Add([]byte("# of a test\nmachine,metric,value,unit,param.size,at\na,x,2,s,1,\nb,x,3,s,2,\nb,x,3,s,2,0\n"),
		[]byte("id,source,claim,stated,unit,formula\n"+
			"A,x,w,2,s,\"crossing({x size=*},{x size=1..2})/mean({x machine=a},1)\"\n"))
	f.Add([]byte("\xff\xfe"), []byte("claim_id;formula\n"))
	c := embeddedCatalog(f)
	f.Fuzz(func(t *testing.T, facts, claims []byte) {
		r, err := Check([]File{{"facts.csv", facts}, {"claims.csv", claims}}, nil, c)
		if err != nil {
			if !usage.Is(err) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		s := r.Summary
		if s.Claims != len(r.Claims) || s.Exact+s.Rounded+s.Loose+s.Wrong+s.Info != s.Claims {
			t.Errorf("%d claims, %+v", len(r.Claims), s)
		}
		for _, one := range r.Claims {
			if math.IsNaN(one.Computed) || math.IsInf(one.Computed, 0) || (one.Verdict == Info) != (one.Stated == nil) ||
				(one.Verdict == Wrong) != (one.Why != "") {
				t.Errorf("%+v", one)
			}
		}
	})
}
