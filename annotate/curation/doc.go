// Package curation holds how a pool of samples becomes a benchmark whose
// samples need their picture (MMStar, Sec. 4.1).
//
//	runs without the picture --Inspection--> candidates --experts--> accepted
//	(and, of what is left, with it)          (settings)   (verdicts)
//
// What the runs answered and what experts say are facts; which samples are candidates follows
// from the facts and the settings, so that another threshold costs no call of a model. The
// package refuses to know storage, files and screens. Its one invariant: a sample that not
// every inspector has decided is neither kept nor dropped.
package curation
