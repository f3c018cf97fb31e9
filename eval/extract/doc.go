// Package extract reads the choice out of a model's free text. It holds rule sets only: pure functions
// from options and text to an eval.Extraction. It refuses to be a judge: what the rules cannot read is
// an abstention with a status, for a judge model or a person, because a wrong reading costs more than
// none.
//
// The rule set "concord" is the default. The others reproduce what published figures were computed
// with: the strongest peer harness (VLMEvalKit) in two versions, step 1 of the MMBench paper, the
// MMStar authors' rule and the MME tool's rule, defects included.
//
// Its one invariant: a reading is Found only with a choice that is among the
// options (or is yes or no), and equal inputs give equal readings.
package extract
