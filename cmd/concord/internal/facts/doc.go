// Package facts shows the store as reports, exports and screens read it: votes,
// scores, runs by model, and the readers of rule sets.
//
// It derives nothing and changes nothing. Its invariant: a source reads in short
// transactions, so that a report does not hold up a run that writes.
package facts
