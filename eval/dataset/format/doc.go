// Package format reads the containers of benchmark files: delimited text, workbooks, JSON arrays and
// lines, logs of objects, parquet, and folders of text files. It gives rows of named cells and knows no
// column: what a benchmark calls its columns is a [Layout], which the caller hands in.
//
// Cells are text. An absent value (null) is a nil cell, unlike an empty text.
//
// Its one invariant: every row of a file is either given or reported as a [problem.Problem] with its
// line and reason, and one bad row never costs the rows behind it.
package format
