// Package data holds the commands that bring data in and out: import, export and extract.
//
// Rows and files are package exchange's. Its invariant: an export changes nothing in the project.
package data
