// Package page reads the pages of a bbolt file with every check that their layout allows.
//
//	Metas --newest--> Reader --Page--> Tree --Find, Leaves--> records
//	                     |
//	                     +--Account--> which pages are used, and which are free
//
// bbolt writes the records of a page without a gap, so that the first of them tells how many there are,
// and each where the next one begins; a parent's keys bound those of its children. All of it is looked
// at whenever a page is read. Nothing here follows a number that it has not checked, so that no file,
// however damaged, ends in a panic or a loop.
//
// It knows no table and no record, writes nothing and maps nothing into memory. Its invariant: what a
// method gives without an error stood there as bbolt wrote it, but for the bytes of keys and values.
package page
