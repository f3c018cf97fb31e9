// Package models sets runs on the same samples beside each other: the
// difference of two, with what tests make of it, and the order of all.
//
// It knows no other group of reports. Its one invariant: two sides are compared
// over the samples that both have decided, and over nothing else.
package models
