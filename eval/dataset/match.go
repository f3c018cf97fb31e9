package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

var errOtherQuestion = errors.New("the row asks another question than the dataset's sample of that index")

// matchRow compares a row with the sample that it answers. Shown is set when
// the model saw other options than Sample.Show(pass): published files rotate
// some questions over fewer options than they have. Doubts are differences
// of text, for which the row is kept; another question altogether is an
// error.
func matchRow(s *eval.Sample, rec *record, pass eval.Pass) (shown *eval.Shown, doubts []string, err error) {
	asked := s.ShowInPass(pass)
	row := rec.sample
	question := row.Question == "" || isSameQuestion(s.Question, row.Question)
	if len(row.Options) == 0 {
		switch {
		case !question:
			return nil, nil, errOtherQuestion
		case row.Answer != "" && s.Answer != "" && row.Answer != s.Answer && s.Kind == row.Kind:
			doubts = append(doubts, fmt.Sprintf("the file's answer is %s, the dataset's %s", row.Answer, s.Answer))
		}
		return nil, doubts, nil
	}
	own := eval.Shown{Options: row.Options, Answer: row.Answer}
	if own.Answer == "" {
		own.Answer = findAnswer(own.Options, asked)
	}
	texts := sameTexts(own.Options, asked.Options)
	switch {
	case !question && !texts:
		return nil, nil, errOtherQuestion
	case !question:
		doubts = append(doubts, "the question's text differs from the dataset's")
	}
	switch {
	case sameOptions(own.Options, asked.Options) && own.Answer == asked.Answer:
		return nil, doubts, nil
	case !texts:
		doubts = append(doubts, "the options differ from the dataset's: "+describeDifference(own.Options, asked.Options))
	case answerTextOf(own) != answerTextOf(asked):
		doubts = append(doubts, fmt.Sprintf("the file's answer is %q, the dataset's %q", answerTextOf(own), answerTextOf(asked)))
	}
	return &own, doubts, nil
}

// isSameQuestion ignores white space and what a harness puts around the
// question ("Answer with the option's letter.").
func isSameQuestion(a, b string) bool {
	if a == b {
		return true
	}
	a, b = collapseSpace(a), collapseSpace(b)
	return a == b || a != "" && strings.Contains(b, a) || b != "" && strings.Contains(a, b)
}

func sameOptions(a, b []eval.Option) bool {
	return slices.EqualFunc(a, b, func(x, y eval.Option) bool { return x.Letter == y.Letter && sameText(x.Text, y.Text) })
}

// sameText ignores white space.
func sameText(a, b string) bool { return a == b || collapseSpace(a) == collapseSpace(b) }

// sameTexts compares options as a bag of texts, in whatever order.
func sameTexts(a, b []eval.Option) bool {
	if sameOptions(a, b) {
		return true
	}
	sorted := func(of []eval.Option) []string {
		return slices.Sorted(slices.Values(eval.Map(of, func(o eval.Option) string { return collapseSpace(o.Text) })))
	}
	return slices.Equal(sorted(a), sorted(b))
}

// answerTextOf is the text of the right option.
func answerTextOf(s eval.Shown) string {
	for _, o := range s.Options {
		if o.Letter == s.Answer {
			return collapseSpace(o.Text)
		}
	}
	return ""
}

// findAnswer finds the right text of asked among other options.
func findAnswer(options []eval.Option, asked eval.Shown) eval.Choice {
	right := answerTextOf(asked)
	for _, o := range options {
		if right != "" && collapseSpace(o.Text) == right {
			return o.Letter
		}
	}
	return ""
}

// describeDifference names the first option that differs.
func describeDifference(own, asked []eval.Option) string {
	texts := map[eval.Choice]string{}
	for _, o := range asked {
		texts[o.Letter] = collapseSpace(o.Text)
	}
	for _, o := range own {
		t, ok := texts[o.Letter]
		if !ok {
			return fmt.Sprintf("%s %.40q is in the file only", o.Letter, o.Text)
		}
		if t != collapseSpace(o.Text) {
			return fmt.Sprintf("%s is %.40q in the file, %.40q in the dataset", o.Letter, o.Text, t)
		}
		delete(texts, o.Letter)
	}
	for _, o := range asked {
		if t, ok := texts[o.Letter]; ok {
			return fmt.Sprintf("%s %.40q is in the dataset only", o.Letter, t)
		}
	}
	return "their order"
}
