package cli

import (
	"context"
	"errors"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/store"
)

// The exit statuses that scripts rely on.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitGate        = 3
	ExitInterrupted = 130
)

// ErrInterrupted ends a command that was stopped by a signal.
var ErrInterrupted = errors.New("interrupted: the same command continues where it stopped")

// UsageError is a mistake in the command line.
type UsageError struct{ error }

// Usage makes an error a mistake in the command line.
func Usage(err error) error { return UsageError{err} }

func (u UsageError) Unwrap() error { return u.error }

// StatusError ends a command with a status after its output has said why.
type StatusError struct {
	Code  int
	Quiet bool
}

func (StatusError) Error() string { return "ended with a status" }

// StatusOf maps an error to the exit status: the only place that does.
func StatusOf(err error) int {
	var usage UsageError
	var status StatusError
	var gate gateError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &gate):
		return ExitGate
	case errors.As(err, &status):
		return status.Code
	case errors.As(err, &usage), isUnknownCommand(err):
		return ExitUsage
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return ExitInterrupted
	default:
		return ExitFailed
	}
}

// kindOf names the kind of an error for scripts.
func kindOf(err error) string {
	var usage UsageError
	var failure *eval.Failure
	var gate gateError
	switch {
	case errors.As(err, &gate):
		return "gate"
	case errors.As(err, &usage), isUnknownCommand(err):
		return "usage"
	case errors.Is(err, ErrInterrupted):
		return "interrupted"
	case errors.Is(err, store.ErrLocked):
		return "locked"
	case errors.Is(err, store.ErrGone):
		return "gone"
	case errors.Is(err, store.ErrCorrupt):
		return "corrupt store"
	case errors.Is(err, eval.ErrNotFound):
		return "not found"
	case errors.Is(err, report.ErrNoFigure):
		return "statistics"
	case IsConfigError(err):
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

// gateError ends a command whose figures do not reach what was asked.
type gateError struct{ unmet []alignment.Gate }

func (g gateError) Error() string {
	var all []string
	for _, u := range g.unmet {
		all = append(all, u.String())
	}
	return "gate not met: " + strings.Join(all, "; ")
}

// IsConfigError reports whether a configuration is to blame.
func IsConfigError(err error) bool {
	var p config.Problem
	return errors.As(err, &p)
}

// Gate ends a command with the gates that its figures do not meet.
func Gate(unmet []alignment.Gate) error { return gateError{unmet} }
