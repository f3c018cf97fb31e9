package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/text"
	"concord/store"
	"concord/tui/widget"
)

// Streams are what a command reads and writes. The holder of a project
// answers other processes by running commands with streams of their own.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	IsTerm   bool // err is a terminal: progress is drawn
}

// Stdio is the streams of this process.
func Stdio() Streams {
	return Streams{In: os.Stdin, Out: newSafeWriter(os.Stdout), Err: newSafeWriter(os.Stderr), IsTerm: isatty.IsTerminal(os.Stderr.Fd())}
}

// Env is the environment of one command: its streams, its arguments, the clock, the log, and how it prints.
type Env struct {
	Streams
	Args     []string
	JSON     bool // output is for scripts
	Now      func() time.Time
	Log      *slog.Logger
	Style    table.Style     // of the tables of reports
	Paper    table.Paper     // what they take on their way into a paper
	Marks    func() []string // what stands beside every figure; nil: nothing
	problems int             // rows of an import that were reported
}

var joinToken = regexp.MustCompile(`(token=)[^&'"\s]+`)

// maskJoinTokens leaves join tokens out of what is logged: they let in for a week.
func maskJoinTokens(text string) string { return joinToken.ReplaceAllString(text, "${1}...") }

// PrintError writes an error to the error stream: one line, or the JSON object that scripts rely on.
func (e *Env) PrintError(err error) {
	e.Log.Error("command failed", "args", eval.Map(e.Args, maskJoinTokens), "err", maskJoinTokens(err.Error()))
	if !e.JSON {
		hint := eval.Either(errors.Is(err, store.ErrCorrupt) && !strings.Contains(err.Error(), "concord doctor"), " (see: concord doctor)", "")
		_, _ = fmt.Fprintf(e.Err, "concord: %s%s\n", EscapeControls(err.Error()), hint)
		return
	}
	line, merr := json.Marshal(map[string]any{"error": map[string]string{"kind": errorKindOf(err), "message": err.Error()}})
	if merr == nil {
		_, _ = fmt.Fprintf(e.Err, "%s\n", line)
	}
}

// WriteJSON prints one object on stdout.
func (e *Env) WriteJSON(v any) error {
	enc := json.NewEncoder(e.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// PrintResult prints a result: for scripts one object, else a text.
func (e *Env) PrintResult(v any, format string, args ...any) error {
	if e.JSON {
		return e.WriteJSON(v)
	}
	_, err := fmt.Fprintf(e.Out, format, args...)
	return err
}

// MakeFilesAbsolute has a flag's files found by another process, too, which may answer
// this command from a folder of its own.
func (e *Env) MakeFilesAbsolute(flag string, files []string) {
	for _, f := range files {
		path, err := filepath.Abs(f)
		if _, serr := os.Stat(f); err != nil || serr != nil {
			continue
		}
		e.Args = slices.Clone(e.Args)
		for i, arg := range e.Args {
			switch arg {
			case f:
				e.Args[i] = path
			case "--" + flag + "=" + f:
				e.Args[i] = "--" + flag + "=" + path
			}
		}
	}
}

// ShownProblems is how many skipped rows are shown on a terminal: a file that does not fit its
// dataset would show nothing else. Into a file or a pipe go all of them.
const ShownProblems = 20

// PrintSkippedRow prints one row that was skipped, as it happens.
func (e *Env) PrintSkippedRow(p dataset.Problem) {
	e.problems++
	switch {
	case e.problems <= ShownProblems || !e.IsTerm:
		_, _ = fmt.Fprintf(e.Err, "%s\n", EscapeControls(p.String()))
	case e.problems == ShownProblems+1:
		_, _ = fmt.Fprintln(e.Err, "... further rows are counted, not shown (2>FILE keeps every one)")
	}
}

// ResolveReportFormat takes --json into the format that a report is to be printed in, and
// refuses one that there is not, before anything is read.
func ResolveReportFormat(format *string, json bool) error {
	if json {
		*format = "json"
	}
	if _, err := table.ParseFormat(*format); err != nil {
		return NewUsageError(err)
	}
	return nil
}

// PrintReport prints a report; a table is fitted to the terminal it goes to. A report whose
// rows all refuse their corrected score is printed, with the reasons, and fails.
func (e *Env) PrintReport(r report.Report, format string) error {
	f, err := table.ParseFormat(format)
	if err != nil {
		return NewUsageError(err)
	}
	var made bytes.Buffer
	err = report.RenderReport(io.MultiWriter(e.Out, &made), e.ApplyStyleFlags(r), f, e.TableWidth())
	e.WarnTooWide(r.Name, made.Bytes())
	return cmp.Or(err, report.CheckAnyCorrected(&r))
}

// WarnTooWide says on the error stream which tables of LaTeX are wider than the text.
func (e *Env) WarnTooWide(name string, latex []byte) {
	for _, line := range table.ListTooWide(latex) {
		_, _ = fmt.Fprintf(e.Err, "%s: a table is a%s\n", EscapeControls(name), strings.TrimPrefix(line, "% A"))
	}
}

// ApplyStyleFlags is the report as the flags want its tables.
func (e *Env) ApplyStyleFlags(r report.Report) report.Report {
	r.Style, r.Paper, r.Version = e.Style, &e.Paper, eval.ThisBuild().String()
	if e.Marks != nil {
		if marks := e.Marks(); len(marks) > 0 {
			r.Damaged, r.Notes = marks[0], slices.Concat(marks, r.Notes)
		}
	}
	return r
}

// RedirectLogToFile sends the log to a file in the state folder; nothing of it ever reaches the screen,
// and neither does what libraries log by themselves, such as net/http of a reply that is longer
// than it says. Without a place to write to there is no log.
func (e *Env) RedirectLogToFile() (closeLog func()) {
	log.SetOutput(io.Discard)
	dir, err := StateFolder()
	if err != nil {
		return func() {}
	}
	f, err := os.OpenFile(filepath.Join(dir, "concord.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return func() {}
	}
	e.Log = slog.New(slog.NewTextHandler(f, nil)).With("pid", os.Getpid())
	log.SetOutput(f)
	return func() {
		log.SetOutput(io.Discard)
		_ = f.Close()
	}
}

// StateFolder gives where logs and the demo live, after the XDG convention.
func StateFolder() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the folder for logs and the demo: %w: set HOME, or XDG_STATE_HOME", err)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	dir = filepath.Join(dir, "concord")
	return dir, eval.WrapError(os.MkdirAll(dir, 0o700), "make state folder")
}

// CacheFolder is where what is derived from projects may be kept, after the XDG
// convention; "" where there is no such place.
func CacheFolder() string {
	dir, err := os.UserCacheDir()
	return eval.Either(err != nil, "", filepath.Join(dir, "concord"))
}

// Progress shows long work on the error stream: a bar on a terminal, else a plain line now and then.
type Progress struct {
	Env  *Env
	what string
	bar  *progressbar.ProgressBar
	last time.Time
}

const meterPause = 5 * time.Second

// NewProgress makes the progress of a piece of work.
func (e *Env) NewProgress(what string) *Progress { return &Progress{Env: e, what: what, last: e.Now()} }

// ShowBytes shows how far reading a file has come; total may be unknown (<= 0).
func (m *Progress) ShowBytes(read, total int64) {
	m.showAt(read, total, true, func() string { return fmt.Sprintf("%d of %d MB", read>>20, total>>20) })
}

// ShowItems shows how many of something are done.
func (m *Progress) ShowItems(done, total int) {
	m.showAt(int64(done), int64(total), false, func() string { return fmt.Sprintf("%d of %d", done, total) })
}

func (m *Progress) showAt(done, total int64, bytes bool, line func() string) {
	if m.Env.IsTerm {
		m.drawBar(done, total, bytes)
		return
	}
	if now := m.Env.Now(); !m.Env.JSON && now.Sub(m.last) >= meterPause {
		m.last = now
		_, _ = fmt.Fprintf(m.Env.Err, "%s: %s\n", m.what, line())
	}
}

func (m *Progress) drawBar(done, total int64, bytes bool) {
	if m.bar == nil {
		m.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(newRawWriter(m.Env.Err)),
			progressbar.OptionSetDescription(text.Outside(m.what).ForLine()),
			progressbar.OptionShowBytes(bytes),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSpinnerType(14),
		)
	}
	if total > 0 && total != m.bar.GetMax64() { // the next part of the work
		m.bar.ChangeMax64(total)
	}
	_ = m.bar.Set64(done)
}

// RemoveBar takes the bar away.
func (m *Progress) RemoveBar() {
	if m.bar != nil {
		_ = m.bar.Finish()
	}
}

// ShowLine shows how far work has come in words of its own: behind the bar on a
// terminal, else as a line now and then.
func (m *Progress) ShowLine(done, total int64, words string) {
	if m.Env.IsTerm {
		m.drawBar(done, total, false)
		m.bar.Describe(text.Outside(words).ForLine())
		return
	}
	m.showAt(done, total, false, func() string { return words })
}

// PrintLine prints a line at once: on a terminal the bar comes again below it.
func (m *Progress) PrintLine(text string) {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
	if !m.Env.JSON {
		_, _ = fmt.Fprintln(m.Env.Err, text)
	}
}

// EscapeControls makes control characters of strangers' text harmless in messages.
func EscapeControls(s string) string { return strings.TrimRight(text.Outside(s).ForTerminal(), "\n") }

// IsTerminal reports whether somebody at a terminal can be asked there.
func IsTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// TerminalOf is the terminal that a stream writes to; nil where it is none.
func TerminalOf(w io.Writer) *os.File {
	if t, ok := w.(*text.Terminal); ok {
		return t.File
	}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// newSafeWriter gives a file as a stream: on a terminal nothing that is written acts.
// Into a file or a pipe it goes as it is: an export changes no fact.
func newSafeWriter(f *os.File) io.Writer {
	if isatty.IsTerminal(f.Fd()) {
		return &text.Terminal{File: f}
	}
	return f
}

// newRawWriter gives a stream for what this program draws on it itself: a terminal takes it as it is.
func newRawWriter(w io.Writer) io.Writer {
	if f := TerminalOf(w); f != nil {
		return f
	}
	return w
}

// OutputForDrawing is the output for what draws on it with colours, and cleans what it draws itself.
func (e *Env) OutputForDrawing() io.Writer { return newRawWriter(e.Out) }

// WriteColumns prints rows with their cells aligned, two spaces apart.
func WriteColumns(w io.Writer, rows [][]string) error {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], widget.TextWidth(EscapeControls(cell)))
		}
	}
	var b bytes.Buffer
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			cell = EscapeControls(cell)
			line.WriteString(cell + strings.Repeat(" ", widths[i]-widget.TextWidth(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := b.WriteTo(w)
	return err
}

// TableWidth is how many cells a table may take; 0 is no limit.
func (e *Env) TableWidth() int {
	if f := TerminalOf(e.Out); f != nil {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return w
		}
	}
	return 0
}
