// Package metric turns a run's predictions into figures: vanilla and circular
// accuracy over the taxonomy, the success rates of the reading's steps, label
// distributions and baselines (MMBench Sec. 3 and 4, MMStar Table 5).
//
// It is pure: questions go in one by one, a Tally comes out, and tallies of disjoint questions merge,
// so that a scan can be shared among processors. It refuses to fetch, to store and to print.
//
// Its one invariant: every question and every prediction that goes in is counted somewhere.
// What a rate leaves out stands beside it, with the reason; absence is never a zero.
package metric
