// Package roster changes and lists the people of a project: their roles, keys and counts of work.
//
// It asks for no right: its callers do. Its invariant: a key belongs to one person.
package roster
