// Package setup holds the commands to begin with and to look after a project: the
// demo, config, doctor, man, and the app opened without a command.
//
// Its invariant: the demo touches no project that holds anything but the demo.
package setup
