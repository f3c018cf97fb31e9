package main

import (
	"concord/eval"
	"concord/eval/extract"
)

// rulesFor is a rule set for questions of any kind: those with options are
// multiple choice, the others yes/no. A set that knows only one kind reads
// nothing in the other.
func rulesFor(name string) (eval.Reader, error) {
	choice, err := extract.Rules(name, eval.KindChoice)
	yesNo, yerr := extract.Rules(name, eval.KindYesNo)
	if err != nil && yerr != nil {
		return nil, usageError{err}
	}
	return kindReader{choice: choice, yesNo: yesNo}, nil
}

type kindReader struct{ choice, yesNo eval.Reader }

func (k kindReader) any() eval.Reader {
	if k.choice != nil {
		return k.choice
	}
	return k.yesNo
}

func (k kindReader) Name() string    { return k.any().Name() }
func (k kindReader) Version() string { return k.any().Version() }

func (k kindReader) Read(options []eval.Option, text string) eval.Extraction {
	r := k.choice
	if len(options) == 0 {
		r = k.yesNo
	}
	if r == nil {
		return eval.Extraction{Status: eval.Missing, Method: "not-read-by-these-rules"}
	}
	return r.Read(options, text)
}
