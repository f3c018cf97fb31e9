// Package rubric is what people and judges say of single criteria of responses,
// and what it comes to.
//
//	Act, Act, ... --Fold--> Said (what stands of one person)
//	Said of all, criteria --Sheet--> score of a response, with bounds; the consensus of people
//
// A verdict is of one criterion as it was worded: its hash. A criterion that is
// worded anew has none until somebody grades it again.
package rubric
