package samples

import (
	"context"
	"iter"

	"concord/annotate"
	"concord/eval"
)

// Verdict is what became of a row. The zero value is unset: not asked.
type Verdict uint8

// The verdicts.
const (
	VerdictUnset Verdict = iota
	Right                // found, and the truth
	Wrong                // found, and not the truth; or not read
	Unscored             // pending, not answered, or without a truth
)

// Row is a prediction in a list: of a question the pass that decides it.
type Row struct {
	Key     eval.Key
	Sample  eval.SampleID
	Text    string // of the prediction; its beginning is enough
	Failure string
	Reading eval.Extraction
	Truth   eval.Choice // as shown in that pass; "" without one
	Verdict Verdict
	Why     string // why it is not scored; "" otherwise
	Said    string // what people said of it; "" when nobody did
}

// List is some of the predictions behind a figure. That a prediction is in a
// list that Tells gives its verdict away.
type List struct {
	Name  string
	Tells bool
	Rows  func(ctx context.Context) iter.Seq2[Row, error]
}

// Query is the lists behind a figure; the first is shown first. People adds
// what people said to the rows.
type Query struct {
	Title  string
	Lists  []List
	People bool
}

// Reading is what one extractor read out of a prediction.
type Reading struct {
	Extractor  string // "rules:NAME" or the judge's name
	Extraction eval.Extraction
	Raw        string // a judge's reply
}

// Pass is one pass of a sample with everything that was made of it.
type Pass struct {
	Prediction eval.Prediction
	Readings   []Reading
	Labels     []annotate.Label
}

// Detail is all about a sample of a run.
type Detail struct {
	Run    eval.Run
	Sample eval.Sample
	Passes []Pass // those that were answered, in their order
}

// Source reads samples. It is called in commands. What it yields is pulled a
// page at a time, with long rests: it must hold no transaction while it
// yields.
type Source interface {
	// OfRun yields the questions of a run, each with its verdict.
	OfRun(ctx context.Context, run eval.RunID) iter.Seq2[Row, error]
	// Of yields the predictions of the keys, as read by an extractor:
	// "rules:NAME", a judge's name, or "" for the rules of each run.
	Of(ctx context.Context, keys iter.Seq2[eval.Key, error], extractor string) iter.Seq2[Row, error]
	// Detail reads all about one sample of a run.
	Detail(ctx context.Context, run eval.RunID, sample eval.Ordinal) (Detail, error)
	// Picture reads the bytes of a picture.
	Picture(ctx context.Context, hash eval.PictureHash) ([]byte, error)
}

// OfRun is the query for the samples of a run.
func OfRun(s Source, run eval.RunID, title string) Query {
	list := func(name string, want func(*Row) bool) List {
		rows := func(ctx context.Context) iter.Seq2[Row, error] { return only(s.OfRun(ctx, run), want) }
		return List{Name: name, Tells: name != "all", Rows: rows}
	}
	return Query{Title: title, Lists: []List{
		list("all", func(*Row) bool { return true }),
		list("right", func(r *Row) bool { return r.Verdict == Right }),
		list("wrong", func(r *Row) bool { return r.Verdict == Wrong }),
		list("unparsable", func(r *Row) bool {
			return r.Failure == "" && r.Reading.Status != eval.StatusUnset && !r.Reading.IsFound()
		}),
		list("failed", func(r *Row) bool { return r.Failure != "" }),
		list("not scored", func(r *Row) bool { return r.Verdict == Unscored }),
	}}
}

func only(rows iter.Seq2[Row, error], want func(*Row) bool) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for r, err := range rows {
			if (err != nil || want(&r)) && !yield(r, err) {
				return
			}
		}
	}
}

// Blind tells what a person must not see yet, because they are yet to answer
// an item of a queue. Who has no name has answered nothing. It is called in
// commands.
type Blind interface {
	// Blinded reports whether the prediction is such an item.
	Blinded(who annotate.Annotator, k eval.Key) bool
	// Sealed reports whether the truth about the prediction's sample would
	// answer such an item, in whatever run and pass.
	Sealed(who annotate.Annotator, k eval.Key) bool
}
