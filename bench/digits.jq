# How the summary writes numbers.
def decimals($n): (. * pow(10; $n) | round) as $i
	| (if $i < 0 then "-" else "" end) + ($i | fabs | "\(. / pow(10; $n) | floor).\("0000\(. % pow(10; $n))"[-$n:])");
def quantity($unit):
	if $unit == "s" then "\(. * 1000 | decimals(2)) ms"
	elif $unit == "B" then "\(. / 1e6 | decimals(1)) MB"
	else "\(decimals(3)) \($unit)" end;
def within: .unit as $u
	| if .lo == null then "no interval, estimate \(.value | quantity($u))"
	  else "\(.lo | quantity($u)) to \(.hi | quantity($u)), estimate \(.value | quantity($u))" end;
