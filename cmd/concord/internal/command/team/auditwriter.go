package team

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
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
	writeEvent(e *audit.Event) error
	close() error
}

func newAuditWriter(ctx context.Context, a *project.Project, c *auditReader, f *auditFlags) (auditWriter, error) {
	switch f.format {
	case formatTable:
		return newLines(ctx, a.Out, c, f.utc), nil
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

func newLines(ctx context.Context, w io.Writer, c *auditReader, utc bool) *lineWriter {
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
	when := notKnown
	if !e.At.IsZero() {
		when = e.At.In(l.zone).Format(time.DateTime)
	}
	where, err := l.c.describeSubject(l.ctx, e)
	if err != nil {
		return err
	}
	what := widget.CleanLine(e.What)
	if utf8.RuneCountInString(what) > whatMost {
		what = string([]rune(what)[:whatMost-1]) + "…"
	}
	if e.Imported {
		where += ", imported"
	}
	line := fmt.Sprintf("%-*s  %-*s  %-*s  %s", whenWidth, when, l.who, cmp.Or(widget.CleanLine(string(e.Who)), notKnown), whatWidth, what, strings.TrimPrefix(where, ", "))
	_, err = fmt.Fprintln(l.w, strings.TrimRight(line, " "))
	return err
}

func (l *lineWriter) close() error { return l.w.Flush() }

// describeSubject describes what an event is about, in words.
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
		sample := "sample " + widget.CleanLine(string(id))
		if e.Item.Pass > 0 {
			sample += " pass " + strconv.Itoa(int(e.Item.Pass))
		}
		out = append(out, sample)
	}
	if e.Item.Run > 0 {
		models := widget.CleanLine(c.models[e.Item.Run])
		if e.Item.Against > 0 {
			models += " : " + widget.CleanLine(c.models[e.Item.Against])
		}
		out = append(out, models)
	}
	return strings.Join(out, ", "), nil
}

// logColumns are an event as scripts read it, in UTC. Act is its number in the
// person's sequence, or, of criteria, in the sample's; target is the number of the
// act that it takes back.
var logColumns = []string{
	"at", "by", "kind", "what", "queue", "dataset", "sample", "pass", "run", "model", "run_2", "model_2", "act", "target", "imported",
}

// textOrNil and numeral are values that are there, or nil for "" and 0.
func textOrNil[T ~string](v T) any {
	if v == "" {
		return nil
	}
	return string(v)
}

func numberOrNil[T ~uint32 | ~uint64](v T) any {
	if v == 0 {
		return nil
	}
	return int(v)
}

// newLogRow gives the cells of an event. A nil is not known, or not there.
func (c *auditReader) newLogRow(ctx context.Context, e *audit.Event) ([]any, error) {
	var sample, pass any
	if e.Sampled {
		id, err := c.sampleID(ctx, e.Dataset, e.Item.Sample)
		if err != nil {
			return nil, err
		}
		sample = textOrNil(id)
		if e.Item.Run > 0 {
			pass = int(e.Item.Pass)
		}
	}
	return []any{
		export.FormatTimestamp(e.At), textOrNil(e.Who), string(e.Kind), e.What, textOrNil(e.Queue), textOrNil(e.Dataset), sample, pass,
		numberOrNil(e.Item.Run), textOrNil(c.models[e.Item.Run]), numberOrNil(e.Item.Against), textOrNil(c.models[e.Item.Against]),
		numberOrNil(e.N), numberOrNil(e.Target), e.Imported,
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
