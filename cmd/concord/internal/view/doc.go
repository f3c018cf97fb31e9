// Package view reads what the screens show, one file a screen, behind the small interface that it declares.
//
// It draws nothing, and commits nothing but what a form asks for. Its invariant: what a person may not
// know yet does not leave this package. Every list, sample and vote passes the visibility policy first.
package view
