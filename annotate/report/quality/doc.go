// Package quality reports on datasets themselves: what they hold, how far their
// criteria are, what models answer without the picture, and what experts accept.
//
// It knows no other group of reports. Its one invariant: a figure that experts
// have a say in says so, so that nobody reads it from the samples behind it.
package quality
