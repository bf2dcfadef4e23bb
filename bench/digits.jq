# How the summary computes and writes numbers.

# Student's t for 97.5 %, by the expansion of Cornish and Fisher: within 1 % from 3 degrees of freedom; of 2 as tables have it.
def t($df): if $df == 2 then 4.30265 else 1.95996 + 2.37227 / $df + 2.82250 / ($df * $df) + 2.55585 / ($df * $df * $df) end;
def decimals($n): (. * pow(10; $n) | round) as $i
	| (if $i < 0 then "-" else "" end) + ($i | fabs | "\(. / pow(10; $n) | floor).\("0000\(. % pow(10; $n))"[-$n:])");
def quantity($unit):
	if $unit == "s" then "\(. * 1000 | decimals(2)) ms"
	elif $unit == "B" then "\(. / 1e6 | decimals(1)) MB"
	else "\(decimals(3)) \($unit)" end;
def within: .unit as $u
	| if .lo == null then "no interval, estimate \(.value | quantity($u))"
	  else "\(.lo | quantity($u)) to \(.hi | quantity($u)), estimate \(.value | quantity($u))" end;
