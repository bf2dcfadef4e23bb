# Both machines by their names in the list, with the prices of their types, and verdicts on what both did.
.baseline==$a and (.pairs|length)==1 and (.pairs[0] | .a==$a and .b==$b and .basis_a.usd_per_hour>0 and .basis_b.usd_per_hour>0
	and any(.verdicts[]; .n==3 and .lo<.ratio and .ratio<.hi and (.verdict|length>0))
	and any(.verdicts[]; .per=="dollar"))
