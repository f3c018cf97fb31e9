// Package stat is counts, rates, differences and their intervals. Whatever reports a share of
// something uses it: what machines did and what people did. It knows neither. A figure is a
// function of units, which come in clusters; units that depend on each other belong into one.
//
// Its one invariant: a rate never stands without its n and its interval, and
// one over nothing is undefined with the reason, never 0 or NaN.
package stat
