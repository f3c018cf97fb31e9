// Package rubric is what people and judges say of single criteria of responses, and what it comes to.
//
//	Act, Act, ... --FoldActs--> the acts of one person that stand
//	verdicts of people --ResolveMajority--> Said, their consensus on a criterion
//	Said, criteria --ScoreSheet--> score of a response, with bounds
//
// A verdict is of one criterion as it was worded: its hash. A criterion that is
// worded anew has none until somebody grades it again.
package rubric
