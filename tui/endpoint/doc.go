// Package endpoint is where models are made known: where they are served, which environment variable
// holds the key, and which of those that the server lists are wanted.
//
//	server --Source.ListModels--> models --Source.WriteConfig--> Done
//
// It takes no key: the name of a variable is all that it has a field for. A
// server that cannot be asked now can be written down all the same, since a
// variable that is not set can be set by starting anew only.
//
// Its one invariant: nothing is written before somebody has chosen a model.
package endpoint
