// Package fastio cuts files into rows and cells, many times quicker than the libraries that know all of
// a format: delimited text, JSON objects and lists. It knows no column and no benchmark. What it takes
// it gives as the library would, and the rest it leaves to that; a row that is broken costs itself
// alone, and comes as a problem.
package fastio
