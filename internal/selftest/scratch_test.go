package selftest
import ("testing";"context";"time";"fmt")
func TestScratch(t *testing.T){
 in,_:=Real()
 tt:=tests{ctx:context.Background(),in:in,seed:1,n:400}
 for _,p:=range parts(){
  s:=time.Now()
  g,err:=p.gates(tt)
  fmt.Println("==",p.name,time.Since(s),err)
  for _,g:=range g { lo,hi:=0.,0.; if g.Lo!=nil {lo,hi=*g.Lo,*g.Hi}; fmt.Printf("%v %-75s %.5g  %s %.5g  [%.4g %.4g] bad=%v tol %.3g\n",g.Pass,g.Name,g.Value,g.Sense,g.Gate,lo,hi,g.KnownBad,g.Tolerance)}
 }
}
