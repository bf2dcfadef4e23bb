// Package note holds what speaks for or against a result as a code with arguments, and words all of them in one
// catalogue: a program filters by the code, a reader reads the sentence.
package note
