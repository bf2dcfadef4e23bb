// Package factorial attributes the change between the two corners of a factorial to its factors and their interactions.
package factorial
