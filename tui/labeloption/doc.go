// Package labeloption is what can be said of an item, and by which keys: its options
// by digit and letter, or a score, and a reading in words. Whoever asks people
// about items uses the same ones, however they are asked.
//
// It draws nothing and reads no key. Its one invariant: an offer's keys are
// digits and upper-case letters, which belong to labels and to no command.
package labeloption
