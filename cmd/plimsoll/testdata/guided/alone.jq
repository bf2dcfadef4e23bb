.baseline==$a and (.pairs|length)==1 and (.pairs[0] | .a==$a and .b==$b and .basis_a.usd_per_hour>0 and .basis_b.usd_per_hour>0
	and any(.verdicts[]; .n==1 and .ratio>0 and .verdict==null) and any(.verdicts[]; .per=="dollar"))
