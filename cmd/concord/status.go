package main

import (
	"context"
	"errors"
	"strings"

	"concord/annotate/report"
	"concord/eval"
	"concord/store"
)

// The exit statuses that scripts rely on.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitGate        = 3
	exitInterrupted = 130
)

var errInterrupted = errors.New("interrupted: the same command goes on where it stopped")

// usageError is a mistake in the command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// statusError ends a command with a status after its output has said why.
type statusError struct {
	code  int
	quiet bool
}

func (statusError) Error() string { return "ended with a status" }

// statusOf maps an error to the exit status: the only place that does.
func statusOf(err error) int {
	var usage usageError
	var status statusError
	var gate gateError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &gate):
		return exitGate
	case errors.As(err, &status):
		return status.code
	case errors.As(err, &usage), isUnknownCommand(err):
		return exitUsage
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFailed
	}
}

// kindOf names the kind of an error for scripts.
func kindOf(err error) string {
	var usage usageError
	var failure *eval.Failure
	var gate gateError
	switch {
	case errors.As(err, &gate):
		return "gate"
	case errors.As(err, &usage), isUnknownCommand(err):
		return "usage"
	case errors.Is(err, errInterrupted):
		return "interrupted"
	case errors.Is(err, store.ErrLocked):
		return "locked"
	case errors.Is(err, store.ErrCorrupt):
		return "corrupt store"
	case errors.Is(err, eval.ErrNotFound):
		return "not found"
	case errors.Is(err, report.ErrNoFigure):
		return "statistics"
	case isConfigError(err):
		return eval.FailureConfiguration.String()
	case errors.As(err, &failure):
		return failure.Kind.String()
	default:
		return "failed"
	}
}

// cobra has no sentinel for an unknown subcommand.
func isUnknownCommand(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "unknown command ")
}
