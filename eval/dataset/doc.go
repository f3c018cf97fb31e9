// Package dataset drives the import of multimodal benchmarks, predictions and votes into a sink.
//
//	file -> format -> profile.Row -> record -> driver -> Sink (the store)
//	       (cells)   (names)        (meaning) (batches)
//
// Package format cuts a file into rows, package profile knows what benchmarks call their
// columns; a record is what a row means; a driver gives records their identity (sample, pass)
// and hands them on in batches that commit together.
//
// It refuses to know storage, rules and screens: it declares the sinks that it fills, and a
// reader of predictions is handed to it. Cells are text: nothing in it guesses at types, so an
// option "None", "NA" or "1.0" stays what the file says.
//
// Its one invariant: every row of a file is either handed on or reported with its file, line
// and reason; none is dropped in silence, and one bad row never costs the rows behind it.
package dataset
