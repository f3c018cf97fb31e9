// Package keymap knows what the app's keys do, by name: which actions there are at which place, their
// default keys, and the keys that a person chose instead.
//
//	key pressed --Default--> the default key of its action --> screen
//	screen's bindings --Binding--> the same, written with the person's keys
//
// Screens know their default keys only, and have no part in this: whoever hands them keys translates,
// both ways. It refuses to be a table of what keys do: screens have those, and tests hold that every
// key of theirs is in the catalogue.
//
// Its one invariant: at one place a key belongs to one action, or to labels.
package keymap
