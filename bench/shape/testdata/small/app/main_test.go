package main

import "example.org/small/internal/stat"

var _ stat.Tested
