// Package report builds the tables of the papers from stored facts, as data, and renders them.
//
//	Facts -> Scan -> Figures -> Report (rows) -> Table (cells) -> renderer
//	(store)  (one pass over a run)     (JSON)                     (text, CSV, ...)
//
// Every figure is a rate or a coefficient with its n, its interval and what was left out, and
// Drill yields the predictions behind it. The package reads facts through an interface that it
// declares, writes none, and refuses to know screens.
//
// Its one invariant: two runs never fall into one row.
package report
