package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/store"
)

// Project is the project that a command works on, with the command's environment. While the process
// that holds the file answers another process, it has the open store and what that process sent along.
type Project struct {
	cli.Env
	Path   string
	Guests Guests            // let into the project that this process holds; nil: it holds none
	Live   *Live             // the runs of this process, or of the holder that answers
	Held   *store.Store      // set while the holder answers another process
	Sent   map[string][]byte // what the arguments name: files, and standard input as -
	asker  string            // with held: the user of the other process, where no argument names one
	Folder string            // with held: the working folder of the other process, to which relative paths belong
	Screen ScreenFlags       // how a command shows the screen
	Leave  bool              // what is damaged is left out, and told
	AsIs   bool              // a project of an earlier version is read as it is, and not brought up to date
	Damage []error           // what was left out
	Waits  RetryWaits        // between retries; tests shorten them
	Tree   func(*Project) *cobra.Command
	Fail   func(error) // ends the command with that error, from wherever it is found
	Listen func(context.Context, *Project, *store.Store) Guests
}

// WriteStore opens the project to change it, creating the file if create is set,
// and serves reading commands of other processes meanwhile.
func (a *Project) WriteStore(ctx context.Context, create bool, do func(st *store.Store) error) (err error) {
	if a.Leave {
		return cli.NewUsageError(errors.New("--damaged goes with commands that read: a damaged project is not written to (see: concord doctor --repair)"))
	}
	if a.Held != nil {
		return fmt.Errorf("%w: this command writes, and cannot be answered for another process", store.ErrLocked)
	}
	if err := a.checkProjectPath(create); err != nil {
		return err
	}
	st, err := store.Open(a.Path, store.Options{Now: a.Now, Logger: a.Log, Cache: cli.CacheFolder()})
	if err != nil {
		return a.ExplainLocked(err)
	}
	a.Live = new(Live)
	a.Guests = a.Listen(ctx, a, st)
	h, err := ListenAsHolder(ctx, a, st)
	if err != nil {
		// Without the socket the work still goes on; others cannot ask.
		a.Log.Warn("serve other processes", "err", err)
	}
	defer func() {
		err = errors.Join(err, a.Guests.Close())
		h.Close()
		err = errors.Join(err, st.Close())
		a.Guests = nil
	}()
	return do(st)
}

// ReadStore opens the project to look at it. While another process holds the
// file, that process runs the command and its output is streamed here.
func (a *Project) ReadStore(ctx context.Context, do func(st *store.Store) error) (err error) {
	if a.Held != nil {
		if a.Leave {
			return fmt.Errorf("%w: --damaged is for a project that no other process has open", store.ErrLocked)
		}
		return do(a.Held)
	}
	if err := a.checkProjectPath(false); err != nil {
		return err
	}
	defer collectGarbageSeldom()()
	o := store.Options{ReadOnly: true, Old: a.AsIs, Now: a.Now, Logger: a.Log, Cache: cli.CacheFolder()}
	if a.Leave {
		o.Damaged = func(err error) { a.Damage = append(a.Damage, err) }
		a.Marks = a.describeDamage
	}
	st, err := store.Open(a.Path, o)
	if errors.Is(err, store.ErrOlderSchema) {
		var done func() error
		if st, done, err = a.openOlderVersion(o, err); err == nil {
			defer func() { err = errors.Join(err, done()) }()
		}
	}
	if errors.Is(err, store.ErrLocked) {
		return a.runInHolder(ctx)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close(), a.printDamage()) }()
	return do(st)
}

// checkProjectPath says what is wrong with the project's path before anything is opened or made.
func (a *Project) checkProjectPath(create bool) error {
	info, err := os.Stat(a.Path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("project %s is a folder: name a file in it", a.Path)
	case err == nil || create && errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("project %s: %w (make one with: concord import predictions FILE --dataset NAME --model NAME, or try: concord demo)", a.Path, eval.ErrNotFound)
	}
	return fmt.Errorf("project %s: %w", a.Path, err)
}

// ExplainLocked makes of a locked store an error that says which process holds it.
func (a *Project) ExplainLocked(err error) error {
	if !errors.Is(err, store.ErrLocked) {
		return err
	}
	who := "another process"
	switch pid, perr := AskHolderPID(a.Path); {
	case perr == nil:
		who = fmt.Sprintf("another process (pid %d)", pid)
	case errors.Is(perr, os.ErrDeadlineExceeded):
		return silentError{a.Path, pid, false}
	}
	return lockedError(fmt.Sprintf("project %s is open in %s: close it there first, or wait for it to end", a.Path, who))
}

// lockedError says who holds the project.
type lockedError string

func (e lockedError) Error() string { return string(e) }
func (e lockedError) Unwrap() error { return store.ErrLocked }

// WriteExistingStore opens a project that is there to change it.
func (a *Project) WriteExistingStore(ctx context.Context, do func(st *store.Store) error) error {
	return a.WriteStore(ctx, false, do)
}

// Guests are those who are let into the project that this process holds: the
// sessions of other processes and of other machines.
type Guests interface {
	Admit(conn net.Conn, what json.RawMessage) error // what says which session is wanted
	RefreshConnections() error                       // a command has changed the project
	Close() error
}

// ScreenFlags say how a command shows the screen.
type ScreenFlags struct {
	Images   string // how pictures are shown; "": as configured
	Theme    string // "": as configured
	Lines    bool   // prompts in lines, no screen
	As       string // who annotates; "": asked for
	Unlocked bool   // whoever works here may do everything
}

// Execute runs the command that the arguments name, and returns the exit status.
func (a *Project) Execute(ctx context.Context) int {
	root := a.Tree(a)
	root.SetArgs(a.Args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	outer := ctx
	ctx, a.Fail = context.WithCancelCause(ctx)
	err := root.ExecuteContext(ctx)
	if err == nil && ctx.Err() == nil {
		return cli.ExitDone
	}
	switch {
	case ctx.Err() != nil && outer.Err() == nil:
		err = context.Cause(ctx)
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		err = cli.ErrInterrupted
	}
	if f, ok := errors.AsType[cli.StatusError](err); ok && f.Quiet {
		return f.Code
	}
	a.JSON = a.JSON || slices.Contains(a.Args, "--json") // behind a flag that was refused it was not read
	a.PrintError(err)
	return cli.ExitStatusOf(err)
}

// DefaultProject is the file of the project where no flag names one.
const DefaultProject = "concord.db"

// RetryWaits are those between the retries of a call that failed transiently; zero
// ones are the constants below. How many retries there are is configured.
type RetryWaits struct{ Base, Most time.Duration }

// The name that somebody gave for a project is kept in the state folder, so
// that it is not typed anew, and mistyped, at every start.

// GivenOrRememberedName is the name to label under: the one asked for, else the last one given for it, else none.
func (a *Project) GivenOrRememberedName(as string) annotate.Annotator {
	if as != "" {
		return annotate.Annotator(as)
	}
	path, err := a.rememberedNameFile()
	if err != nil {
		return ""
	}
	name, err := os.ReadFile(path)
	return eval.Either(err != nil, "", annotate.Annotator(strings.TrimSpace(string(name))))
}

// RememberName keeps the name for the next start.
func (a *Project) RememberName(who annotate.Annotator) error {
	path, err := a.rememberedNameFile()
	if err != nil {
		return err
	}
	return eval.WrapError(os.WriteFile(path, []byte(string(who)+"\n"), 0o600), "keep name")
}

func (a *Project) rememberedNameFile() (string, error) {
	dir, err := cli.StateFolder()
	if err != nil {
		return "", err
	}
	id, err := hashProjectPath(a.Path)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "names")
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("keep name: %w", err)
	}
	return filepath.Join(dir, id), nil
}

// LoadConfig is what files and environment settle for this project.
func (a *Project) LoadConfig() (*config.Config, error) { return config.Load(a.ConfigPlaces()) }

// ConfigPlaces says where the configuration of the project is looked for.
func (a *Project) ConfigPlaces() config.Options {
	return config.Options{ProjectDir: filepath.Dir(a.Path), ConfigHome: configHome(), Trust: a.TrustFile()}
}

// RuleFolders are where files of rules are looked for, the project's first.
func (a *Project) RuleFolders() []string {
	folders := []string{filepath.Join(filepath.Dir(a.Path), "rules")}
	if home := configHome(); home != "" {
		folders = append(folders, filepath.Join(home, "concord", "rules"))
	}
	return folders
}

// TrustFile is what this user has said about the configuration beside the project.
func (a *Project) TrustFile() config.TrustFile { return a.TrustFileIn(filepath.Dir(a.Path)) }

// TrustFileIn is what this user has said about the one in a folder. Without a folder
// of the user's own to keep it in, nothing is trusted.
func (*Project) TrustFileIn(folder string) config.TrustFile {
	dir, err := cli.StateFolder()
	if err != nil {
		return config.TrustFile{Folder: folder}
	}
	return config.TrustFile{Path: filepath.Join(dir, "trusted"), Folder: folder}
}

// configHome is the XDG folder of configurations, "" when there is none.
func configHome() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) { // others are to be ignored
		return dir
	}
	home, err := os.UserHomeDir()
	return eval.Either(err != nil, "", filepath.Join(home, ".config"))
}

// NewCardLookup gives what the configuration knows of models. Figures do not depend on
// it: a configuration that cannot be read is told, and tables go without.
func NewCardLookup(a *Project) func(model string) (eval.Card, bool) {
	conf, err := a.LoadConfig()
	if err != nil {
		_, _ = fmt.Fprintf(a.Err, "models are printed without their cards: %s\n", err)
		return nil
	}
	known := eval.IndexBy(conf.ModelCards(), func(c eval.Card) (string, eval.Card) { return c.Model, c })
	return func(model string) (eval.Card, bool) {
		c, ok := known[model]
		return c, ok
	}
}

// NewCmd gives a command that does something. Of nil args it takes no arguments.
func NewCmd(use, short string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: run}
}

// NewGroupCmd gives a command that only holds others.
func NewGroupCmd(use, short string, all ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short}
	cmd.AddCommand(all...)
	return cmd
}

// NewShowCmd gives a command that shows what is stored, and takes no arguments.
func NewShowCmd(a *Project, use, short string, show func(*Project, *store.Store) error) *cobra.Command {
	return NewCmd(use, short, nil, func(cmd *cobra.Command, _ []string) error {
		return a.ReadStore(cmd.Context(), func(st *store.Store) error { return show(a, st) })
	})
}

// AddActorFlag adds the flag that names who does something.
func AddActorFlag(cmd *cobra.Command, by *string) {
	cmd.Flags().StringVar(by, "as", "", "annotator (default: the current user of the project, else the system user)")
}

// CompleteFirstArg completes the first argument only.
func CompleteFirstArg(do cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return do(cmd, args, typed)
	}
}

// CompleteFromProject completes names that the project holds. A project that cannot be
// read has none: nobody wants an error in the middle of a line.
func CompleteFromProject(a *Project, list func(*store.Store) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return FilterByPrefix(ListNamesOrAskHolder(cmd.Context(), a, list), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// FilterByPrefix gives the names that go on from what was typed.
func FilterByPrefix(all []string, typed string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, typed) })
}

// ListNamesOrAskHolder reads names from the project, or has the process that holds it read them.
func ListNamesOrAskHolder(ctx context.Context, a *Project, list func(*store.Store) ([]string, error)) (out []string) {
	if ctx == nil {
		ctx = context.Background()
	}
	take := func(st *store.Store) (err error) {
		out, err = list(st)
		return err
	}
	var answer bytes.Buffer
	quiet := *a
	quiet.Out, quiet.Err, quiet.IsTerm = &answer, io.Discard, false
	if err := quiet.ReadStore(ctx, take); err != nil {
		return nil
	}
	if answer.Len() == 0 {
		return out
	}
	// The holder has completed the same line, and ended with the directive.
	for line := range strings.Lines(answer.String()) {
		if strings.HasPrefix(line, ":") {
			break
		}
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

// FormatCompletion gives a name with what the shell may say beside it. Both are of one line.
func FormatCompletion(name, about string) string {
	return cli.EscapeControls(name) + "\t" + cli.EscapeControls(about)
}

// HasActedInQueues reports whether somebody has done anything in a queue.
func HasActedInQueues(st *store.Store, who annotate.Annotator) (bool, error) {
	queues, err := st.Queues().List()
	for _, q := range queues {
		names, qerr := st.Acts().Annotators(q.Name)
		if err = errors.Join(err, qerr); slices.Contains(names, who) {
			return true, err
		}
	}
	return false, err
}
