// Package annotate holds what people did: queues of predictions to review,
// the acts by which they label them, and what follows from those acts -
// consensus, alignment of the machine's reading with theirs.
//
//	Queue -> Item -> Session -> Act -> Journal -> storage
//	(frozen) (blind) (keys)            (in order, then "saved")
//
// Acts are facts: appended, never changed; taking one back is another act.
// It knows machines through the vocabulary of eval, and refuses to know
// screens and files. Its one invariant: nobody is handed an answer - the
// truth, a machine's or another person's - before having given their own.
package annotate
