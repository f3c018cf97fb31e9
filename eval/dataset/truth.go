package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// readOptionsAndTruth reads the options and which of them is right.
func (r *record) readOptionsAndTruth(w *profile.Row) error {
	if err := r.readOptions(w); err != nil {
		return err
	}
	answer := r.replaceInvalidUTF8(w.Cell(w.Head.Answer), "answer")
	several := r.listAcceptedAnswers(w, answer)
	if len(several) == 0 && strings.HasPrefix(answer, "[{") && json.Valid([]byte(answer)) {
		return fmt.Errorf("the answer %.60q is a list of objects, of which none is known", answer)
	}
	open := strings.EqualFold(w.Name(w.Head.Kind), eval.KindOpen.String())
	s := &r.sample
	switch {
	case len(several) > 0:
		r.setSeveralAnswers(several, open)
	case len(s.Options) == 0 && open:
		s.Kind, s.Reference = eval.KindOpen, strings.TrimSpace(answer)
	default:
		s.Kind, s.Answer = r.readGroundTruth(answer)
	}
	if strings.TrimSpace(answer) == "" && len(s.Options) == 0 && strings.EqualFold(w.Name(w.Head.Kind), eval.KindYesNo.String()) {
		s.Kind = eval.KindYesNo // of a split whose truth is kept back
	}
	return nil
}

// Texts that are lists: as JSON or Python writes them, of texts, or of numbers too.
var (
	listedTexts = regexp.MustCompile(`^\[\s*(?:` + quotedText + `)(?:\s*,\s*(?:` + quotedText + `))*\s*,?\s*\]$`)
	listedAny   = regexp.MustCompile(`^\[\s*(?:` + quotedText + number + `)(?:\s*,\s*(?:` + quotedText + number + `))*\s*,?\s*\]$`)
	letterList  = regexp.MustCompile(`^[A-Z](?:\s*[,;&/]\s*[A-Z])+$`)
)

const (
	quotedText = `"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`
	number     = `|-?\d+(?:\.\d+)?`
)

// listAcceptedAnswers gives the answers that a cell lists, or that an export has beside it.
func (r *record) listAcceptedAnswers(w *profile.Row, answer string) (out []string) {
	cell := []byte(strings.TrimSpace(answer))
	if own := w.Cell(w.Head.References); len(own) > 0 {
		cell = own
	}
	if out = parseVQAAnswers(cell); out != nil {
		return out
	}
	form := w.Name(w.Head.Form)
	if form == "text" || !listedTexts.Match(cell) && (form != "list" || !listedAny.Match(cell)) {
		return nil
	}
	list, _ := fastio.ParseTextList(cell)
	return eval.Map(list, func(one []byte) string { return strings.TrimSpace(r.replaceInvalidUTF8(one, "answer")) })
}

// parseVQAAnswers gives the answers in a list of objects, as VQA's files write what people
// said: [{"answer": "net", "answer_confidence": "yes"}, ...]; nil for anything else.
func parseVQAAnswers(cell []byte) (out []string) {
	var said []struct{ Answer *string }
	if !bytes.HasPrefix(cell, []byte("[{")) || json.Unmarshal(cell, &said) != nil {
		return nil
	}
	for _, one := range said {
		if one.Answer == nil {
			return nil
		}
		out = append(out, strings.TrimSpace(*one.Answer))
	}
	return out
}

// setSeveralAnswers takes several answers, each of which is right.
func (r *record) setSeveralAnswers(several []string, open bool) {
	s := &r.sample
	if len(s.Options) == 0 || open {
		if s.Kind, s.Reference = eval.KindOpen, several[0]; len(several) > 1 {
			s.References = several
		}
		return
	}
	for _, one := range several {
		var c eval.Choice
		if s.Kind, c = r.readGroundTruth(one); c != "" && !slices.Contains(s.References, string(c)) {
			s.References = append(s.References, string(c))
		}
	}
	if len(s.References) > 0 {
		s.Answer = eval.Choice(s.References[0])
	}
	if len(s.References) == 1 {
		s.References = nil
	}
}

// readGroundTruth reads the answer cell: a letter, an option's whole text, or yes or
// no where there are no options. Files write letters that name no option
// (pandas emptied an option "None"): the letter stays the truth.
func (r *record) readGroundTruth(cell string) (eval.Kind, eval.Choice) {
	cell = strings.TrimSpace(cell)
	if len(r.sample.Options) == 0 {
		switch strings.ToLower(cell) {
		case string(eval.Yes):
			return eval.KindYesNo, eval.Yes
		case string(eval.No):
			return eval.KindYesNo, eval.No
		}
		r.sample.Reference = cell // a Choice holds no free text
		return eval.KindOpen, ""
	}
	if cell == "" {
		return eval.KindChoice, ""
	}
	letter := eval.Choice(strings.ToUpper(strings.Trim(cell, "(). ")))
	var same []eval.Choice
	for _, o := range r.sample.Options {
		if o.Letter == letter {
			return eval.KindChoice, letter
		}
		if collapseSpace(o.Text) == collapseSpace(cell) {
			same = append(same, o.Letter)
		}
	}
	if several := r.parseAnswerLetters(cell); len(several) > 0 && len(same) == 0 {
		r.setSeveralAnswers(several, false)
		return r.sample.Kind, r.sample.Answer
	}
	switch {
	case len(same) == 1:
		return eval.KindChoice, same[0]
	case column.IsOptionLetter(string(letter)):
		r.notes = append(r.notes, fmt.Sprintf("the answer %s is not among the options", letter))
		return eval.KindChoice, letter
	}
	r.notes = append(r.notes, fmt.Sprintf("the answer %.40q names no option: taken as no ground truth", cell))
	r.sample.Reference = cell // for a metric that compares texts
	return eval.KindChoice, ""
}

// parseAnswerLetters gives those of a cell such as "A, C", where all are of options.
func (r *record) parseAnswerLetters(cell string) (out []string) {
	if !letterList.MatchString(cell) {
		return nil
	}
	for _, l := range strings.FieldsFunc(cell, func(c rune) bool { return c < 'A' || c > 'Z' }) {
		if !slices.ContainsFunc(r.sample.Options, func(o eval.Option) bool { return string(o.Letter) == l }) {
			return nil
		}
		out = append(out, l)
	}
	return out
}

// readSampleSets reads the sets that the row's sample is in.
func readSampleSets(r *profile.Row) []eval.Column {
	var groups map[string]string
	if cell := r.Cell(r.Head.Groups); len(cell) == 0 || json.Unmarshal(cell, &groups) != nil {
		return nil
	}
	return eval.Map(slices.Sorted(maps.Keys(groups)), func(name string) eval.Column { return eval.Column{Name: name, Value: groups[name]} })
}

// Rows are cut and read while the ones before them are taken:
//
//	source -> row -> record --batch--> driver -> Sink
//	       (one goroutine)           (the caller's)
//
// A batch is bounded in bytes and few are under way, so that memory is. A row
// that is no batch's size goes alone, and the next is cut when it is taken.
const (
	aheadBytes   = 256 << 10 // of cells in a batch
	aheadRows    = 512
	aheadBatches = 4
)

// rowResult is a row with its record, or why there is none.
type rowResult struct {
	row    profile.Row
	rec    record
	broken error // of the source: a *Problem, or what ended the rows
	err    error // of the row
}

// rowBatch is what goes over at once. Its rows point into it.
type rowBatch struct {
	rows  []rowResult
	cells [][]byte
	bytes []byte
	alone chan struct{} // of a row that points into the source: closed when it is taken
	panic any           // what ended the reading
}

// copyLastRow keeps the last row's cells, which are valid no longer than they are the source's.
func (b *rowBatch) copyLastRow() {
	from, row := len(b.cells), &b.rows[len(b.rows)-1].row
	for _, c := range row.Cells {
		if c != nil {
			at := len(b.bytes)
			b.bytes = append(b.bytes, c...)
			c = b.bytes[at:len(b.bytes):len(b.bytes)]
		}
		b.cells = append(b.cells, c)
	}
	row.Cells = b.cells[from:len(b.cells):len(b.cells)]
}

// readInBackground reads the file from its start, in its own goroutine, which ends before ahead does.
func (im *importer) readInBackground(ctx context.Context) iter.Seq[*rowResult] {
	return func(yield func(*rowResult) bool) {
		ctx, cancel := context.WithCancel(ctx)
		a := &aheadReader{ctx: ctx, im: im, out: make(chan *rowBatch, aheadBatches), free: make(chan *rowBatch, aheadBatches)}
		go a.sendAllRows()
		var b *rowBatch
		defer func() {
			cancel()
			for ; b != nil; b = <-a.out { // until the goroutine has ended
				a.recycleBatch(b)
			}
		}()
		for b = <-a.out; b != nil; b = <-a.out {
			if b.panic != nil {
				panic(b.panic)
			}
			for i := range b.rows {
				if !yield(&b.rows[i]) {
					return
				}
			}
			a.recycleBatch(b)
		}
	}
}

type aheadReader struct {
	ctx  context.Context
	im   *importer
	out  chan *rowBatch
	free chan *rowBatch // to be used again
	now  *rowBatch
}

func (a *aheadReader) sendAllRows() {
	defer close(a.out)
	defer func() {
		if p := recover(); p != nil {
			a.out <- &rowBatch{panic: p}
		}
	}()
	a.now = &rowBatch{}
	waits := a.im.src.ForbidsReadingAhead()
	for r, err := range a.im.src.Rows(a.ctx) {
		alone := waits || r.ByteSize() > aheadBytes
		if alone {
			a.sendBatch()
		}
		a.now.rows = append(a.now.rows, rowResult{row: r, broken: err})
		if err == nil {
			t := &a.now.rows[len(a.now.rows)-1]
			if t.err = t.rec.readRow(&t.row); t.err == nil {
				t.err = a.im.want(&t.rec)
			}
		}
		if alone {
			a.sendAloneAndWait()
		} else if a.now.copyLastRow(); len(a.now.rows) >= aheadRows || len(a.now.bytes) >= aheadBytes {
			a.sendBatch()
		}
	}
	a.sendBatch()
}

// sendBatch hands the batch over and begins another.
func (a *aheadReader) sendBatch() {
	if len(a.now.rows) == 0 {
		return
	}
	a.out <- a.now
	select {
	case a.now = <-a.free:
	default:
		a.now = &rowBatch{}
	}
}

// sendAloneAndWait sends a row as it is, and waits until it is taken.
func (a *aheadReader) sendAloneAndWait() {
	alone := make(chan struct{})
	a.now.alone = alone
	a.sendBatch()
	<-alone
}

// recycleBatch gives a batch back once its rows are taken.
func (a *aheadReader) recycleBatch(b *rowBatch) {
	clear(b.rows)
	if b.alone != nil {
		close(b.alone)
		b.alone = nil
	}
	b.rows, b.cells, b.bytes = b.rows[:0], b.cells[:0], b.bytes[:0]
	select {
	case a.free <- b:
	default:
	}
}

// serializeCallbacks makes one of what an import tells: how far it has come is known where
// rows are cut, what is wrong with a row where it is taken.
func (o *Options) serializeCallbacks(src *profile.Source) {
	var mu sync.Mutex
	if skipped := o.Skipped; skipped != nil {
		o.Skipped = func(p Problem) {
			mu.Lock()
			defer mu.Unlock()
			skipped(p)
		}
	}
	src.File.WrapProgress(func(watch func(read, total int64)) func(read, total int64) {
		return func(read, total int64) {
			mu.Lock()
			defer mu.Unlock()
			watch(read, total)
		}
	})
}
