// Package annotate is the vocabulary of what people did: queues of predictions
// to read or score and of pairs of answers to vote on, the acts by which they do
// so, and what follows from those acts - labels, votes and consensus.
//
//	Queue -> Item -> session.Session -> Act -> session.Journal -> storage
//	(frozen) (blind)      (keys)                 (in order, then "saved")
//
// Acts are facts: appended, never changed; taking one back is another act. It knows machines through
// the vocabulary of eval, and refuses to know screens and files. Its one invariant: nobody is handed an
// answer - the truth, a machine's or another person's - before having given their own.
package annotate
