// Package openaitest is a server that speaks the wire format of OpenAI's chat completions over HTTP,
// counts what it is asked, and misbehaves on request: for tests and benchmarks.
//
// It refuses to be a mock: whoever asks it needs a real client. Its one invariant: what it counts was
// asked; a call is counted before any fault is done to it, wrong keys excepted.
package openaitest
