// Package criteria holds the commands that open the screens of criteria and of
// curation, and the one that adds a sample to write criteria for.
//
// It holds no rule about criteria. Its invariant: it stores nothing but such a
// sample; everything else is done on the screens.
package criteria
