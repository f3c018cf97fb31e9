// Package pairwise reports what votes on pairs of answers say: models against an anchor, judges beside
// people, people beside each other, the pull of order and length, and how alike rankings are.
//
// It knows no other group of reports. Its one invariant: the votes of a question
// are merged in one place, so that every report says the same of it.
package pairwise
