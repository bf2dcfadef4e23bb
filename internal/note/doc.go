// Package note represents remarks for or against a result as a code with arguments, and keeps the wording of all of
// them in one catalogue: programs filter by code, people read the sentence.
package note
