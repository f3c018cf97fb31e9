// Package newqueue is the form in which a queue of predictions to label is put
// together: of what, how many, by how many people.
//
//	key --> changed --(rest)--> Source.PreviewDraw --> how many that would draw
//	enter --> Source.CreateQueue --> Made
//
// It draws nothing itself, and knows no more of a draw than it is told. Queues
// of pairs have a form of their own.
//
// Its one invariant: what is made is what stands on the screen; a preview of
// anything else is not shown.
package newqueue
