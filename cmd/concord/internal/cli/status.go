package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/eval/text"
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

// ErrStopped ends a command that was stopped before it printed anything.
var ErrStopped error = stoppedError{}

type stoppedError struct{}

func (stoppedError) Error() string { return "interrupted: nothing was printed or saved" }

func (stoppedError) Is(target error) bool { return target == ErrInterrupted }

// UsageError is a mistake in the command line.
type UsageError struct{ error }

// NewUsageError makes an error a mistake in the command line.
func NewUsageError(err error) error { return UsageError{err} }

func (u UsageError) Unwrap() error { return u.error }

// StatusError ends a command with a status after its output has said why.
type StatusError struct {
	Code  int
	Quiet bool
}

func (StatusError) Error() string { return "ended with a status" }

// ExitStatusOf maps an error to the exit status: the only place that does.
func ExitStatusOf(err error) int {
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

func errorKindOf(err error) string {
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
	all := eval.Map(g.unmet, alignment.Gate.String)
	return "gate not met: " + strings.Join(all, "; ")
}

// IsConfigError reports whether a configuration is to blame.
func IsConfigError(err error) bool {
	var p config.Problem
	return errors.As(err, &p)
}

// NewGateError ends a command with the gates that its figures do not meet.
func NewGateError(unmet []alignment.Gate) error { return gateError{unmet} }

// wrapArgsCheck makes cobra's complaint about arguments a usage error.
func wrapArgsCheck(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			hint := ""
			if len(args) > 0 {
				hint = eval.DidYouMean(args[0], listSubcommands(cmd))
			}
			return NewUsageError(fmt.Errorf("%w%s (see: %s --help)", err, hint, cmd.CommandPath()))
		}
		return nil
	}
}

func listSubcommands(cmd *cobra.Command) []string {
	return eval.Map(cmd.Commands(), (*cobra.Command).Name)
}

// WrapFlagError makes cobra's complaint about a flag a usage error, which names the
// nearest flag where there is none of that name.
func WrapFlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return NewUsageError(err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return NewUsageError(fmt.Errorf("%w%s (see: %s --help)", err, eval.DidYouMean("--"+unknown.GetSpecifiedName(), names), cmd.CommandPath()))
}

// refuseMissingSubcommand is what a group of commands does when none is named.
func refuseMissingSubcommand(cmd *cobra.Command, _ []string) error {
	return NewUsageError(fmt.Errorf("%s what? One of %s (see: %s --help)", cmd.CommandPath(), strings.Join(listSubcommands(cmd), ", "), cmd.CommandPath()))
}

// RequireFlags refuses a command that lacks flags.
func RequireFlags(cmd *cobra.Command, names ...string) error {
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f == nil || f.Value.String() == "" {
			return NewUsageError(fmt.Errorf("--%s is missing (see: %s --help)", n, cmd.CommandPath()))
		}
	}
	return nil
}

// MarkRequiredFlags marks flags as required, with a usage error that names them.
func (e *Env) MarkRequiredFlags(cmd *cobra.Command, names ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return RequireFlags(cmd, names...) }
}

// CheckOneLineName refuses a name for a queue or a dataset that would not stay on its
// line in lists, or be lost between words of a command.
func CheckOneLineName(what, name string) error {
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return NewUsageError(fmt.Errorf("%q is no name for a %s: it takes one line of letters, without spaces around them", name, what))
	}
	return nil
}

// QuoteForShell gives a name as a shell takes it, to be copied from a screen.
func QuoteForShell(name string) string { return text.Outside(name).ForShell() }

// OutFile is a file that a command writes: what stood there stays until the new content is whole.
type OutFile struct {
	*os.File
	path string
	temp bool
}

// CreateOutFile opens a file to write, which everybody may read whom the umask lets; a file that is
// there keeps its permissions. It refuses the project's own file, under whatever name.
func CreateOutFile(path, project string) (*OutFile, error) {
	perm := newFile
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("write %s: %w", path, err)
	case info.IsDir():
		return nil, fmt.Errorf("write %s: it is a folder", path)
	case !info.Mode().IsRegular(): // a pipe or a device is written as it is, and not waited for
		f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, syscall.ENXIO) {
			return nil, fmt.Errorf("write %s: nobody reads the pipe", path)
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", path, err)
		}
		return &OutFile{File: f, path: path}, nil
	default:
		perm = info.Mode().Perm()
		if own, err := os.Stat(project); err == nil && os.SameFile(own, info) {
			return nil, NewUsageError(fmt.Errorf("write %s: that is the project itself", path))
		}
	}
	o := &OutFile{path: path, temp: true}
	if o.File, err = createTempBeside(path, perm); err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	if info != nil { // whatever the umask is now
		if err := o.Chmod(perm); err != nil {
			return nil, o.CommitOrRemove(fmt.Errorf("write %s: %w", path, err))
		}
	}
	return o, nil
}

// newFile is what is asked for a new file; the umask takes from it.
const newFile os.FileMode = 0o666

// createTempBeside makes a file of a name of its own in the folder of another.
func createTempBeside(path string, perm os.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// CommitOrRemove puts the file in its place, or, after an error, takes it away.
func (o *OutFile) CommitOrRemove(err error) error {
	if !o.temp {
		return errors.Join(err, o.Close())
	}
	if cerr := o.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(o.Name(), o.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(o.Name()))
	}
	return nil
}

//go:embed help/*.txt
var helpTexts embed.FS

// AddHelpAndUsage gives a command, and those below it, what all of them have: the file
// help/PATH.txt as their long help, where there is one, with its examples, and usage
// errors for arguments that they do not take. A group of commands asks which one is meant.
func AddHelpAndUsage(c *cobra.Command) {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	if text, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(path, " ", "-") + ".txt"); err == nil {
		long, examples, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "# Examples\n\n")
		c.Long, c.Example = strings.TrimSuffix(long, "\n\n"), cmp.Or(examples, c.Example)
	}
	if c.RunE == nil {
		c.RunE = refuseMissingSubcommand
	}
	if c.Args == nil {
		c.Args = cobra.NoArgs
	}
	c.Args = wrapArgsCheck(c.Args)
	for _, sub := range c.Commands() {
		AddHelpAndUsage(sub)
	}
}
