// Package criteria holds what a good answer to each sample must do, as people
// write it, review it in rounds and verify it (MLLM-Bench, Sec. 4).
//
//	Act, Act, Act ... --FoldActs--> Set (state, revisions, rounds, open requests)
//	(stored, in order)           (derived, never stored)
//
// Acts are facts: appended, never changed; taking one back is another act. The package refuses
// to know files, storage and screens. Its one invariant: an act that Check refuses stands in no
// Set, whoever folds it, so nobody has ever reviewed what they wrote themselves.
package criteria
