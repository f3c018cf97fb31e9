package team

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"concord/annotate/audit"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/eval/stat"
	"concord/store"
	"concord/tui/widget"
)

// auditWriter writes the events of a log, one by one.
type auditWriter interface {
	writeEvent(e *audit.Event) error
	close() error
}

func newAuditWriter(ctx context.Context, a *project.Project, c *auditReader, f *auditFlags) (auditWriter, error) {
	switch f.format {
	case formatTable:
		return newLineWriter(ctx, a.Out, c, f.utc), nil
	case formatJSON:
		o := &jsonObjectWriter{w: a.Out, sep: "\n"}
		if _, err := fmt.Fprintf(a.Out, "{\n  \"report\": \"log\",\n  \"confidence\": %v,\n  \"rows\": [", stat.Confidence); err != nil {
			return nil, err
		}
		t, err := tablefile.New(o, tablefile.JSONL, logColumns)
		return &tableWriter{ctx, c, t, o.writeEnd}, err
	}
	t, err := tablefile.New(a.Out, f.format, logColumns)
	return &tableWriter{ctx, c, t, func() error { return nil }}, err
}

// notKnown stands for what the project does not keep.
const notKnown = "not known"

// lineWriter are for people: when, who, what and where.
type lineWriter struct {
	ctx  context.Context
	c    *auditReader
	w    *bufio.Writer
	zone *time.Location
	who  int // width
}

func newLineWriter(ctx context.Context, w io.Writer, c *auditReader, utc bool) *lineWriter {
	out := &lineWriter{ctx: ctx, c: c, w: bufio.NewWriterSize(w, 64<<10), zone: time.Local, who: len(notKnown)}
	if utc {
		out.zone = time.UTC
	}
	for _, name := range c.names {
		out.who = min(20, max(out.who, utf8.RuneCountInString(cli.EscapeControls(name))))
	}
	return out
}

// The columns of a line, in characters; what is longer goes on in the next.
const (
	whenWidth = len(time.DateTime)
	whatWidth = 30
	whatMost  = 120
)

func (l *lineWriter) writeEvent(e *audit.Event) error {
	when := eval.Either(e.At.IsZero(), notKnown, e.At.In(l.zone).Format(time.DateTime))
	where, err := l.c.describeSubject(l.ctx, e)
	if err != nil {
		return err
	}
	what := widget.CleanLine(e.What)
	if utf8.RuneCountInString(what) > whatMost {
		what = string([]rune(what)[:whatMost-1]) + "…"
	}
	where += eval.Either(e.Imported, ", imported", "")
	line := fmt.Sprintf("%-*s  %-*s  %-*s  %s", whenWidth, when, l.who, cmp.Or(widget.CleanLine(string(e.Who)), notKnown), whatWidth, what, strings.TrimPrefix(where, ", "))
	_, err = fmt.Fprintln(l.w, strings.TrimRight(line, " "))
	return err
}

func (l *lineWriter) close() error { return l.w.Flush() }

func (c *auditReader) describeSubject(ctx context.Context, e *audit.Event) (string, error) {
	var out []string
	if e.Queue != "" {
		out = append(out, "queue "+widget.CleanLine(string(e.Queue)))
	} else if e.Dataset != "" {
		out = append(out, widget.CleanLine(string(e.Dataset)))
	}
	if e.Sampled {
		id, err := c.sampleID(ctx, e.Dataset, e.Item.Sample)
		if err != nil {
			return "", err
		}
		sample := "sample " + widget.CleanLine(string(id)) + eval.Either(e.Item.Pass > 0, " pass "+strconv.Itoa(int(e.Item.Pass)), "")
		out = append(out, sample)
	}
	if e.Item.Run > 0 {
		models := widget.CleanLine(c.models[e.Item.Run])
		models += eval.Either(e.Item.Against > 0, " : "+widget.CleanLine(c.models[e.Item.Against]), "")
		out = append(out, models)
	}
	return strings.Join(out, ", "), nil
}

// logColumns are an event as scripts read it, in UTC. Act is its number in the person's sequence, or,
// of criteria, in the sample's; target is the number of the act that it takes back.
var logColumns = []string{"at", "by", "kind", "what", "queue", "dataset", "sample", "pass", "run", "model", "run_2", "model_2", "act", "target", "imported"}

// newLogRow gives the cells of an event. A nil is not known, or not there.
func (c *auditReader) newLogRow(ctx context.Context, e *audit.Event) ([]any, error) {
	var sample, pass any
	if e.Sampled {
		id, err := c.sampleID(ctx, e.Dataset, e.Item.Sample)
		if err != nil {
			return nil, err
		}
		sample = export.CellOrNil(string(id))
		if e.Item.Run > 0 {
			pass = int(e.Item.Pass)
		}
	}
	return []any{
		export.FormatTimestamp(e.At), export.CellOrNil(string(e.Who)), string(e.Kind), e.What, export.CellOrNil(string(e.Queue)), export.CellOrNil(string(e.Dataset)), sample, pass,
		export.CellOrNil(int(e.Item.Run)), export.CellOrNil(c.models[e.Item.Run]), export.CellOrNil(int(e.Item.Against)), export.CellOrNil(c.models[e.Item.Against]),
		export.CellOrNil(int(e.N)), export.CellOrNil(int(e.Target)), e.Imported,
	}, nil
}

// jsonObjectWriter puts JSON lines into the one object that --json prints.
type jsonObjectWriter struct {
	w   io.Writer
	sep string // before the next line; "" within one
}

func (o *jsonObjectWriter) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if o.sep != "" {
			o.sep += "    "
		}
		row, whole := bytes.CutSuffix(line, []byte("\n"))
		if _, err := fmt.Fprintf(o.w, "%s%s", o.sep, row); err != nil {
			return 0, err
		}
		if o.sep = ""; whole {
			o.sep = ",\n"
		}
	}
	return len(p), nil
}

func (o *jsonObjectWriter) writeEnd() error {
	_, err := io.WriteString(o.w, "\n  ]\n}\n")
	return err
}

// tableWriter writes rows of CSV or JSON.
type tableWriter struct {
	ctx   context.Context
	c     *auditReader
	table *tablefile.Table
	end   func() error
}

func (t *tableWriter) writeEvent(e *audit.Event) error {
	cells, err := t.c.newLogRow(t.ctx, e)
	if err != nil {
		return err
	}
	return t.table.Write(cells)
}

func (t *tableWriter) close() error {
	_, err := t.table.Close()
	return errors.Join(err, t.end())
}

type auditFlags struct {
	since, until, format string
	kinds, heads         []string
	verify               bool
	last                 int
	utc                  bool
	filter               audit.Filter
}

// NewLogCmd makes the command log.
func NewLogCmd(a *project.Project) *cobra.Command {
	var f auditFlags
	cmd := project.NewCmd("log", "Tell who did what when, from what the project keeps", nil, func(cmd *cobra.Command, _ []string) error {
		if f.verify || len(f.heads) > 0 {
			for _, name := range unverifiable {
				if cmd.Flags().Changed(name) {
					return cli.NewUsageError(fmt.Errorf("--%s does not go with --verify: a chain is checked as a whole", name))
				}
			}
			return a.ReadStore(cmd.Context(), func(st *store.Store) error { return verifyChains(cmd.Context(), a, st, &f) })
		}
		if err := f.parseFlags(a.Now(), cmd.Flags().Changed("last")); err != nil {
			return cli.NewUsageError(err)
		}
		if a.JSON {
			f.format = formatJSON
		}
		return a.ReadStore(cmd.Context(), func(st *store.Store) error { return printAudit(cmd.Context(), a, st, &f) })
	})
	fs := cmd.Flags()
	fs.StringVar((*string)(&f.filter.Queue), "queue", "", "only what happened in this queue")
	fs.StringVar((*string)(&f.filter.Dataset), "dataset", "", "only what is about this dataset")
	fs.StringVar((*string)(&f.filter.By), "by", "", "only what this `person` did")
	fs.StringVar(&f.since, "since", "", "only from this `time` on: 2026-03-01, 2026-03-01 14:30, RFC 3339, or an age like 90m, 24h, 7d")
	fs.StringVar(&f.until, "until", "", "only before this `time`; a day includes itself")
	fs.StringSliceVar(&f.kinds, "kind", nil, "only these `kinds`: "+strings.Join(ListAuditKinds(), ", "))
	fs.IntVarP(&f.last, "last", "n", 0, "only the last `N` of them")
	fs.BoolVar(&f.utc, "utc", false, "times in UTC (default: in the time zone of this machine)")
	fs.StringVar(&f.format, "format", formatTable, "table, json, csv or jsonl")
	fs.BoolVar(&f.verify, "verify", false, "check everybody's chain of acts: that nothing was changed, removed or put in")
	fs.StringArrayVar(&f.heads, "head", nil, "with --verify: a `PERSON=HASH` that was published earlier and has to be in the chain")
	return cmd
}

// The formats of log.
const (
	formatTable = "table"
	formatJSON  = "json"
)

func (f *auditFlags) parseFlags(now time.Time, last bool) error {
	if last && f.last < 1 {
		return fmt.Errorf("-n %d: want at least one", f.last)
	}
	if !slices.Contains([]string{formatTable, formatJSON, "csv", "jsonl"}, f.format) {
		return fmt.Errorf("unknown format %q: want one of table, json, csv, jsonl", f.format)
	}
	for _, k := range f.kinds {
		kind, err := audit.ParseKind(k)
		if err != nil {
			return err
		}
		f.filter.Kinds = append(f.filter.Kinds, kind)
	}
	zone := eval.Either(f.utc, time.UTC, time.Local)
	var err error
	if f.filter.Since, err = cli.ParseTimeOrAge(f.since, now, zone, false); err != nil {
		return fmt.Errorf("--since %w", err)
	}
	if f.filter.Until, err = cli.ParseTimeOrAge(f.until, now, zone, true); err != nil {
		return fmt.Errorf("--until %w", err)
	}
	return nil
}

// printAudit prints the events that are asked for, as they come.
func printAudit(ctx context.Context, a *project.Project, st *store.Store, f *auditFlags) error {
	if f.filter.Queue != "" {
		if _, err := st.Queues().Queue(f.filter.Queue); err != nil {
			return fmt.Errorf("%w (see: concord queue list)", err)
		}
	}
	if f.filter.Dataset != "" {
		_, err := st.Datasets().Dataset(f.filter.Dataset)
		written, _ := eval.Collect(skipAndCountBroken(new(int), st.Authoring().Acts(ctx, f.filter.Dataset)))
		if err != nil && len(written) == 0 { // else nothing of it is accepted yet
			return err
		}
	}
	c, err := newAuditReader(ctx, st, &f.filter)
	if err != nil {
		return err
	}
	all := eval.Filter(audit.MergeSeqs(c.sources...), f.filter.Keeps)
	if f.last > 0 {
		last, err := audit.LastEvents(all, f.last)
		if err != nil {
			return err
		}
		all = audit.NewSeq(last)
	}
	w, err := newAuditWriter(ctx, a, c, f)
	if err != nil {
		return err
	}
	for e, err := range all {
		if err == nil {
			err = w.writeEvent(&e)
		}
		if err != nil {
			return errors.Join(err, w.close())
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	if *c.broken > 0 {
		return fmt.Errorf("%s cannot be read and are left out: %w (see: concord doctor)", cli.FormatCount(*c.broken, "record"), store.ErrCorrupt)
	}
	return nil
}

// ListAuditKinds lists the kinds of what concord log tells.
func ListAuditKinds() []string {
	return eval.Map(audit.AllKinds(), func(k audit.Kind) string { return string(k) })
}
