// Package coverage is the study of how often the intervals that reports print hold the truth: simulations
// with known truth through the functions that reports call. It has tests alone. The short form fails where
// an interval holds too rarely; CONCORD_COVERAGE=2000 draws so many times a setting and writes COVERAGE.md.
package coverage
