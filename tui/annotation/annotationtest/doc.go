// Package annotationtest is what the tests of screens with a session work with: a queue in memory, a
// journal that saves when told to, and a hand that presses keys and looks at the frames. It refuses to
// know any screen. Its one invariant: nothing runs beside the test, so that every command has ended
// when a key has been pressed.
package annotationtest
