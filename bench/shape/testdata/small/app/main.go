// Command app is a program.
package main

import (
	"fmt"

	d "example.org/small/internal/odd/deep"
	"example.org/small/internal/stat"
)

type named interface{ name() string }

type gopher struct{}

func (gopher) name() string { return "gopher" }

func main() {
	var n named = gopher{}
	fmt.Println(stat.Used([]string{n.name()}))
	fmt.Println(d.Single[int](d.Shadow()))
	fmt.Println(d.Shadow())
}
