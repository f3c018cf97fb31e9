// Command concord evaluates vision-language models and lets people check the
// machine's reading of their answers.
//
// This package is wiring: flags, Open, New, Run, Close. It is the only place
// where storage, screens, files and engine meet; each subcommand is a file.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second Ctrl-C leaves at once
	code := run(ctx, os.Args[1:], stdio())
	stop()
	os.Exit(code)
}
