package pairs

import (
	"context"
	"iter"

	"concord/annotate"
	"concord/eval"
)

// Ask is for whom pairs are read, and whose votes stand beside them.
type Ask struct {
	Who    annotate.Annotator
	Ballot *eval.Ballot // the judge's, as it was asked; nil: people's alone
	Tells  bool         // that a pair is among those asked for gives a vote away
}

// Row is a pair in a list. Every vote speaks of the pair's first run: answer 1
// is that one's, on whichever side it was shown.
type Row struct {
	Pair     eval.Pair
	Sample   eval.SampleID
	LeftOut  bool   // all that may be told of it is that it is not in the list
	Blinded  bool   // Models and everything behind are withheld
	Question string // its beginning is enough
	Models   [2]string
	Orders   [2]Order // with the first run's answer shown first, and second
	Outcome  string   // of both orders; "" without a ballot
	People   []eval.Vote
}

// Order is what a judge said of a pair in one order of its answers. The zero
// value was not asked.
type Order struct {
	Asked   bool
	Failure string    // why the call failed
	Vote    eval.Vote // VoteUnset: the reply holds none
}

// Detail is all about a pair that one person may see.
type Detail struct {
	Sample   eval.SampleID
	Question string
	Hint     string
	Options  []eval.Option
	Type     eval.QuestionType
	Taxonomy []string
	Pictures []eval.Picture
	Blinded  bool   // nothing below is there
	Criteria string // as they stand; "" for none
	Models   [2]string
	Answers  [2]Answer
	Ballots  []Ballot
	People   []Vote
}

// Answer is one of the two.
type Answer struct {
	Text    string
	Missing string // why there is none; "" when there is one
	Cut     bool   // by the endpoint
}

// Ballot is what one judge, asked in one way, said of the pair.
type Ballot struct {
	eval.Ballot
	Orders  [2]Reply
	Outcome string
}

// Reply is one order of a ballot.
type Reply struct {
	Order
	Raw      string
	Criteria string // hash of those that it saw; "" without
	Stale    bool   // they were revised since
}

// Vote is what one person said of the pair, for its first run.
type Vote struct {
	Who      annotate.Annotator
	Queue    annotate.QueueName
	Vote     eval.Vote
	Second   bool // they saw the first run's answer second
	Flagged  bool
	Informed bool // given after the reveal
	Note     string
}

// List is some of the pairs behind a figure. Where it gives a vote away that a
// pair is in the list, those that are sealed are LeftOut.
type List struct {
	Name string
	Rows func(ctx context.Context, who annotate.Annotator) iter.Seq2[Row, error]
}

// Query is the lists behind a figure; the first is shown first. Judge adds
// what a judge said to the rows.
type Query struct {
	Title string
	Lists []List
	Judge bool
}

// Source reads pairs, for one person, and hands over no more than that person
// may see. It is called in commands. What it yields is pulled a page at a time,
// with long rests: it must hold no transaction while it yields.
type Source interface {
	// Of yields the pairs, in their order.
	Of(ctx context.Context, a Ask, pairs iter.Seq[eval.Pair]) iter.Seq2[Row, error]
	// Detail reads all about one pair.
	Detail(ctx context.Context, who annotate.Annotator, p eval.Pair) (Detail, error)
	// Picture reads the bytes of a picture.
	Picture(ctx context.Context, hash eval.PictureHash) ([]byte, error)
}
