// Command concord evaluates vision-language models and lets people check how their answers are read.
//
// This package is the tree of commands, the signals and the exit status. The
// commands are in internal/command, a package a group.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"concord/cmd/concord/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second Ctrl-C leaves at once
	code := runProgram(ctx, os.Args[1:], cli.Stdio())
	stop()
	os.Exit(code)
}
