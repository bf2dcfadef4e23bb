# growth-slope.awk: the slope of ln y over ln x with its 95 % interval, from lines "x y" of several x. 1 is linear.
function t95(df) { # Student's t: exact below 3, by Cornish and Fisher above (0.5 % at df 3, less beyond)
	if (df == 1) return 12.706
	if (df == 2) return 4.303
	z = 1.959964
	return z + (z ^ 3 + z) / (4 * df) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * df ^ 2) + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * df ^ 3)
}
{ n++; x[n] = log($1); y[n] = log($2); mx += x[n]; my += y[n] }
END {
	if (n < 3 || x[1] == x[n]) exit 1
	mx /= n; my /= n
	for (i = 1; i <= n; i++) { sxx += (x[i] - mx) ^ 2; sxy += (x[i] - mx) * (y[i] - my) }
	b = sxy / sxx
	for (i = 1; i <= n; i++) rss += (y[i] - my - b * (x[i] - mx)) ^ 2
	half = t95(n - 2) * sqrt(rss / (n - 2) / sxx)
	printf "%.2f to %.2f, estimate %.2f", b - half, b + half, b
}
