// Package catalogue knows all groups of reports, which do not know each other:
// what is made of several of them, it makes.
package catalogue
