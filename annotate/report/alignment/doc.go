// Package alignment reports how far machines read what people read, and how far
// people read alike: extractors beside a queue's consensus, what saved reports
// said over time, the people of a queue, and agreement in files of ratings.
//
// It knows no other group of reports. Its one invariant: a label that enters no
// coefficient is counted beside it, with the reason.
package alignment
