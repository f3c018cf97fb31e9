// Package curating reads the settings by which a pool of candidates becomes a dataset: the flags, what
// the configuration says, and the panel of experts that they come to.
//
// It judges no candidate: annotate/curation does. Its invariant: a report, an export
// and the screen of one command line use the same settings.
package curating
