// Package chatserver is a server that speaks the wire format of OpenAI's chat completions over HTTP: for a
// demo that takes the real path without a network. The test server of package openaitest is made of it.
package chatserver
