package team

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"concord/annotate/audit"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/eval/stat"
	"concord/tui/widget"
)

// auditWriter writes the events of a log, one by one.
type auditWriter interface {
	write(e *audit.Event) error
	close() error
}

func newAuditWriter(ctx context.Context, a *project.Project, c *auditReader, f *auditFlags) (auditWriter, error) {
	switch f.format {
	case formatTable:
		return newLines(ctx, a.Out, c, f.utc), nil
	case formatJSON:
		return newObject(ctx, a.Out, c)
	}
	t, err := tablefile.New(a.Out, f.format, logColumns)
	return &tableWriter{ctx, c, t}, err
}

// notKnown stands for what the project does not keep.
const notKnown = "not known"

// lines are for people: when, who, what and where.
type lines struct {
	ctx  context.Context
	c    *auditReader
	w    *bufio.Writer
	zone *time.Location
	who  int // width
}

func newLines(ctx context.Context, w io.Writer, c *auditReader, utc bool) *lines {
	out := &lines{ctx: ctx, c: c, w: bufio.NewWriterSize(w, 64<<10), zone: time.Local, who: len(notKnown)}
	if utc {
		out.zone = time.UTC
	}
	for _, name := range c.names {
		out.who = min(20, max(out.who, utf8.RuneCountInString(cli.Visible(name))))
	}
	return out
}

// The columns of a line, in characters; what is longer goes on in the next.
const (
	whenWidth = len(time.DateTime)
	whatWidth = 30
	whatMost  = 120
)

func (l *lines) write(e *audit.Event) error {
	when := notKnown
	if !e.At.IsZero() {
		when = e.At.In(l.zone).Format(time.DateTime)
	}
	where, err := l.c.where(l.ctx, e)
	if err != nil {
		return err
	}
	what := widget.Line(e.What)
	if utf8.RuneCountInString(what) > whatMost {
		what = string([]rune(what)[:whatMost-1]) + "…"
	}
	if e.Imported {
		where += ", imported"
	}
	line := fmt.Sprintf("%-*s  %-*s  %-*s  %s", whenWidth, when, l.who, cmp.Or(widget.Line(string(e.Who)), notKnown), whatWidth, what, strings.TrimPrefix(where, ", "))
	_, err = fmt.Fprintln(l.w, strings.TrimRight(line, " "))
	return err
}

func (l *lines) close() error { return l.w.Flush() }

// where is what an event is about, in words.
func (c *auditReader) where(ctx context.Context, e *audit.Event) (string, error) {
	var out []string
	if e.Queue != "" {
		out = append(out, "queue "+widget.Line(string(e.Queue)))
	} else if e.Dataset != "" {
		out = append(out, widget.Line(string(e.Dataset)))
	}
	if e.Sampled {
		id, err := c.sample(ctx, e.Dataset, e.Item.Sample)
		if err != nil {
			return "", err
		}
		sample := "sample " + widget.Line(string(id))
		if e.Item.Pass > 0 {
			sample += " pass " + strconv.Itoa(int(e.Item.Pass))
		}
		out = append(out, sample)
	}
	if e.Item.Run > 0 {
		models := widget.Line(c.models[e.Item.Run])
		if e.Item.Against > 0 {
			models += " : " + widget.Line(c.models[e.Item.Against])
		}
		out = append(out, models)
	}
	return strings.Join(out, ", "), nil
}

// logRow is an event as scripts read it. A nil is not known, or not there.
type logRow struct {
	At       any    `json:"at"` // UTC
	By       any    `json:"by"`
	Kind     string `json:"kind"`
	What     string `json:"what"`
	Queue    any    `json:"queue"`
	Dataset  any    `json:"dataset"`
	Sample   any    `json:"sample"`
	Pass     any    `json:"pass"`
	Run      any    `json:"run"`
	Model    any    `json:"model"`
	Run2     any    `json:"run_2"`
	Model2   any    `json:"model_2"`
	Act      any    `json:"act"`    // its number in the person's sequence, or, of criteria, in the sample's
	Target   any    `json:"target"` // the number of the act that it takes back
	Imported bool   `json:"imported"`
}

var logColumns = []string{
	"at", "by", "kind", "what", "queue", "dataset", "sample", "pass", "run", "model", "run_2", "model_2", "act", "target", "imported",
}

func (r *logRow) cells() []any {
	return []any{
		r.At, r.By, r.Kind, r.What, r.Queue, r.Dataset, r.Sample, r.Pass, r.Run, r.Model, r.Run2, r.Model2, r.Act, r.Target, r.Imported,
	}
}

// text and numeral are values that are there, or nil for "" and 0.
func text[T ~string](v T) any {
	if v == "" {
		return nil
	}
	return string(v)
}

func numeral[T ~uint32 | ~uint64](v T) any {
	if v == 0 {
		return nil
	}
	return int(v)
}

func (c *auditReader) row(ctx context.Context, e *audit.Event) (logRow, error) {
	r := logRow{
		At: export.Timestamp(e.At), By: text(e.Who), Kind: string(e.Kind), What: e.What, Queue: text(e.Queue), Dataset: text(e.Dataset),
		Run: numeral(e.Item.Run), Model: text(c.models[e.Item.Run]), Run2: numeral(e.Item.Against), Model2: text(c.models[e.Item.Against]),
		Act: numeral(e.N), Target: numeral(e.Target), Imported: e.Imported,
	}
	if !e.Sampled {
		return r, nil
	}
	id, err := c.sample(ctx, e.Dataset, e.Item.Sample)
	r.Sample = text(id)
	if e.Item.Run > 0 {
		r.Pass = int(e.Item.Pass)
	}
	return r, err
}

// object writes the one object that --json prints, row by row.
type object struct {
	ctx context.Context
	c   *auditReader
	w   *bufio.Writer
	sep string
}

func newObject(ctx context.Context, w io.Writer, c *auditReader) (*object, error) {
	o := &object{ctx: ctx, c: c, w: bufio.NewWriterSize(w, 64<<10), sep: "\n"}
	_, err := fmt.Fprintf(o.w, "{\n  \"report\": \"log\",\n  \"confidence\": %v,\n  \"rows\": [", stat.Confidence)
	return o, err
}

func (o *object) write(e *audit.Event) error {
	row, err := o.c.row(o.ctx, e)
	if err != nil {
		return err
	}
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.w, "%s    %s", o.sep, line)
	o.sep = ",\n"
	return err
}

func (o *object) close() error {
	if _, err := o.w.WriteString("\n  ]\n}\n"); err != nil {
		return err
	}
	return o.w.Flush()
}

// tableWriter writes rows of CSV or JSON lines.
type tableWriter struct {
	ctx   context.Context
	c     *auditReader
	table *tablefile.Table
}

func (t *tableWriter) write(e *audit.Event) error {
	r, err := t.c.row(t.ctx, e)
	if err != nil {
		return err
	}
	return t.table.Write(r.cells())
}

func (t *tableWriter) close() error {
	_, err := t.table.Close()
	return err
}
