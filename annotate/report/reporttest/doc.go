// Package reporttest holds what tests of reports share: facts in memory, rule sets
// that read a letter, and the check that every figure opens what it counts. It
// knows no report, so that the tests of each can use it.
package reporttest
