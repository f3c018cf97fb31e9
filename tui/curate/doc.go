// Package curate is the screen on which experts decide which candidates of a
// pool become samples of a benchmark: picture, question, options, answer, one
// key for the verdict, and the next one, with the balance of axes in view.
//
//	keys --> Model --> curation.Board --act--> curation.Journal (ordered, durable)
//	           ^                                  |
//	           '------------- outcome ------------'
//
// A curator is shown the truth, unless told otherwise: whether a sample is good cannot be said without
// it. It refuses to walk a queue (that is tui/annotation, which keeps to one frozen order): candidates
// are gone through as they are filtered, and all of them are at hand. Update and View do no I/O. Its
// one invariant: what another expert says is drawn only after the person's own word on that sample is
// stored.
package curate
