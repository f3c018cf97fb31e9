// Package importer is where a project begins: a demo to look around in, a file to
// import, or a check of the connection to a model. It is shown where there is
// no project, and over one that is open to bring in more.
//
//	menu --> folder --> preview (nothing is written) --> import --> Done
//
// A file's format is found out, and its first rows are shown as they would be read, before anything is
// written. It makes no project itself: whoever opened it is told what to do next by Done.
//
// Its one invariant: what is imported is the file that was previewed, under
// the names that stand on the screen.
package importer
