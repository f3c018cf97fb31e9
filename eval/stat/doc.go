// Package stat is counts, rates, differences and their intervals. Whatever reports a
// share of something uses it: what machines did and what people did. It knows
// neither, and imports only the standard library.
//
// Its one invariant: a rate never stands without its n and its interval, and
// one over nothing is undefined with the reason, never 0 or NaN.
package stat
