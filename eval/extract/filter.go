package extract

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"

	"concord/eval"
	"concord/eval/extract/published"
	"concord/eval/extract/reading"
)

const (
	batchBytes = 256 << 10
	batchLines = 512
	// maxLine is the longest line that is read; a longer one is malformed.
	maxLine = 16 << 20
)

// FilterLines reads JSON lines {"id", "options": {"A": text, ...}, "prediction"} and writes one line
// for each, in the same order: the id as given, choice, status and method. The rule sets of the kit
// give its pseudo-choice "Z" as choice. Samples of kind yesno need no options.
//
// A line that cannot be read gives {"line": N, "error": text} and counts as malformed; so does a blank
// line, unless only blank ones follow. The error is about the rules, the streams or the context. When
// the context ends while in blocks, Filter returns and the pending read is abandoned.
//
//	in -> batches -> a goroutine each -> the same batches in order -> out
func FilterLines(ctx context.Context, in io.Reader, out io.Writer, name string, kind eval.Kind) (malformed int, err error) {
	set, err := FindRulesFor(name, kind)
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	order := make(chan *lineBatch, 2*runtime.GOMAXPROCS(0)) // so many are read at once
	var readErr error
	go func() {
		defer close(order)
		readErr = handOnBatches(ctx, in, func(b *lineBatch) bool {
			select {
			case order <- b:
				go b.ReadLines(set.rulesFor(kind), kind)
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	malformed, err = writeBatches(ctx, out, order)
	if err == nil && readErr != nil {
		err = fmt.Errorf("read input: %w", readErr)
	}
	return malformed, err
}

// writeBatches writes the batches in order as they are done.
func writeBatches(ctx context.Context, out io.Writer, order <-chan *lineBatch) (malformed int, err error) {
	for {
		select {
		case b, ok := <-order:
			if !ok {
				return malformed, ctx.Err()
			}
			select {
			case <-b.done:
			case <-ctx.Done():
				return malformed, ctx.Err()
			}
			malformed += b.malformed
			if _, err := out.Write(b.out.Bytes()); err != nil {
				return malformed, fmt.Errorf("write output: %w", err)
			}
		case <-ctx.Done():
			return malformed, ctx.Err()
		}
	}
}

// lineBatch is a run of lines that one worker reads.
type lineBatch struct {
	first     int // number of its first line, from 1
	lines     [][]byte
	bytes     int
	out       bytes.Buffer
	malformed int
	done      chan struct{}
}

// handOnBatches cuts in into batches of lines. A batch is handed on when it is full or when nothing more
// is there yet, so that a slow input is answered at once. Blank lines at the end are left out.
func handOnBatches(ctx context.Context, in io.Reader, hand func(*lineBatch) bool) error {
	r := bufio.NewReaderSize(in, 64<<10)
	b := &lineBatch{first: 1, done: make(chan struct{})}
	pass := func() bool {
		next := &lineBatch{first: b.first + len(b.lines), done: make(chan struct{})}
		done := b
		b = next
		return hand(done)
	}
	blank, number := 0, 0
	for ctx.Err() == nil {
		line, err := readLine(r)
		if number == 0 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		number++
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			blank++
		default:
			for ; blank > 0; blank-- {
				if b.lines = append(b.lines, nil); len(b.lines) >= batchLines && !pass() {
					return nil
				}
			}
			b.lines = append(b.lines, line)
			b.bytes += len(line)
		}
		last := err != nil
		if last || b.bytes >= batchBytes || len(b.lines) >= batchLines || r.Buffered() == 0 {
			if len(b.lines) > 0 && !pass() {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if last {
			return err
		}
	}
	return nil
}

// readLine reads one line without its end. Of a line that is too long only
// the start is kept, which does not parse.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) < maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// ReadLines reads the batch's lines by the rules.
func (b *lineBatch) ReadLines(by rules, kind eval.Kind) {
	defer close(b.done)
	for i, line := range b.lines {
		if err := b.readLine(line, by, kind); err != nil {
			b.malformed++
			text, _ := json.Marshal(err.Error()) // a string always marshals
			fmt.Fprintf(&b.out, `{"line":%d,"error":%s}`+"\n", b.first+i, text)
		}
	}
	b.lines = nil
}

func (b *lineBatch) readLine(line []byte, by rules, kind eval.Kind) error {
	if line == nil {
		return errors.New("blank line")
	}
	if len(line) >= maxLine {
		return fmt.Errorf("line is longer than %d MB", maxLine>>20)
	}
	it, err := parseItem(line, kind)
	if err != nil {
		return err
	}
	e := by.Read(it.options, it.text)
	choice := e.Choice
	if _, ok := by.(published.Kit); ok && e.Status == eval.None {
		choice = published.PseudoChoice
	}
	b.out.WriteString(`{"id":`)
	b.out.Write(bytes.ToValidUTF8(it.id, []byte("\uFFFD")))
	fmt.Fprintf(&b.out, `,"choice":%q,"status":%q,"method":%q}`, choice, e.Status, e.Method)
	b.out.WriteByte('\n')
	return nil
}

// item is one line of the filter's input.
type item struct {
	id      json.RawMessage // as given
	options []eval.Option   // in the order written
	text    string
}

// parseItem reads a line for samples of a kind. Yes/no samples need no
// options. The error names the field that is wrong.
func parseItem(line []byte, kind eval.Kind) (item, error) {
	var raw struct {
		ID         json.RawMessage `json:"id"`
		Options    json.RawMessage `json:"options"`
		Prediction json.RawMessage `json:"prediction"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return item{}, fmt.Errorf("parse JSON: %w", err)
	}
	it := item{id: raw.ID}
	if raw.ID == nil {
		return item{}, errors.New("id: missing")
	}
	if raw.Prediction == nil {
		return item{}, errors.New("prediction: missing")
	}
	if raw.Prediction[0] != '"' {
		return item{}, fmt.Errorf("prediction: want a string, got %s", jsonTypeName(raw.Prediction))
	}
	if err := json.Unmarshal(raw.Prediction, &it.text); err != nil {
		return item{}, fmt.Errorf("prediction: %w", err)
	}
	if kind != eval.KindChoice {
		return it, nil
	}
	if raw.Options == nil {
		return item{}, errors.New("options: missing")
	}
	var err error
	it.options, err = parseOptions(raw.Options)
	return it, err
}

// parseOptions reads a JSON object of option letter to text and keeps the
// order in which it is written, which a map would lose.
func parseOptions(raw []byte) ([]eval.Option, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	if t != json.Delim('{') {
		return nil, fmt.Errorf("options: want an object of letter to text, got %s", jsonTypeName(raw))
	}
	options := make([]eval.Option, 0, 8)
	for d.More() {
		o, err := parseOption(d)
		if err != nil {
			return nil, err
		}
		if reading.HasLetter(options, o.Letter) {
			return nil, fmt.Errorf("options: letter %s stands twice", o.Letter)
		}
		options = append(options, o)
	}
	if len(options) == 0 {
		return nil, errors.New("options: none given")
	}
	return options, nil
}

func parseOption(d *json.Decoder) (eval.Option, error) {
	key, err := d.Token()
	if err != nil {
		return eval.Option{}, fmt.Errorf("options: %w", err)
	}
	l, _ := key.(string)
	if len(l) != 1 || l[0] < 'A' || l[0] > 'Z' {
		return eval.Option{}, fmt.Errorf("options: unknown letter %.20q: want A to Z", l)
	}
	value, err := d.Token()
	if err != nil {
		return eval.Option{}, fmt.Errorf("options: %w", err)
	}
	text, ok := value.(string)
	if !ok {
		return eval.Option{}, fmt.Errorf("options: %s is not a string", l)
	}
	return eval.Option{Letter: eval.Choice(l), Text: text}, nil
}

// jsonTypeName names the type of a JSON value for messages.
func jsonTypeName(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// LabelledLine is a response that somebody has labelled.
type LabelledLine struct {
	ID         string
	Options    []eval.Option // none: a yes/no question
	Prediction string
	Label      string // the choice's letter, yes or no; "": there is no choice
	HasLabel   bool
}

// KindByOptions is the kind of question that was answered.
func (l *LabelledLine) KindByOptions() eval.Kind {
	return eval.Either(len(l.Options) == 0, eval.KindYesNo, eval.KindChoice)
}

// ReadLabelled yields the lines of a file as Filter reads them, each with the label that stands in a
// field. A line that cannot be read is the last, and its error names it.
func ReadLabelled(in io.Reader, field string) iter.Seq2[LabelledLine, error] {
	return func(yield func(LabelledLine, error) bool) {
		r := bufio.NewReader(in)
		for n := 1; ; n++ {
			data, end := readLine(r)
			if len(bytes.TrimSpace(data)) > 0 {
				l, err := parseLabelled(data, field)
				if err != nil {
					err = fmt.Errorf("line %d: %w", n, err)
				}
				if !yield(l, err) || err != nil {
					return
				}
			}
			if end != nil {
				if !errors.Is(end, io.EOF) {
					yield(LabelledLine{}, end)
				}
				return
			}
		}
	}
}

func parseLabelled(data []byte, field string) (LabelledLine, error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(data, &row); err != nil {
		return LabelledLine{}, fmt.Errorf("parse JSON: %w", err)
	}
	kind := eval.Either(row["options"] == nil, eval.KindYesNo, eval.KindChoice)
	it, err := parseItem(data, kind)
	if err != nil {
		return LabelledLine{}, err
	}
	l := LabelledLine{ID: strings.Trim(string(it.id), `"`), Options: it.options, Prediction: it.text}
	if raw := row[field]; raw != nil && string(raw) != "null" {
		if err := json.Unmarshal(raw, &l.Label); err != nil {
			return LabelledLine{}, fmt.Errorf("%s: want a string, got %s", field, jsonTypeName(raw))
		}
		l.HasLabel = true
	}
	return l, nil
}
