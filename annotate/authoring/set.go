package authoring

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Act is one thing that somebody did about a sample that is written: a fact. The acts
// of a sample, whoever did them, are numbered from 1 without gaps.
type Act struct {
	Dataset  eval.DatasetName
	Sample   eval.Ordinal // number of the sample among those that are written for the dataset
	N        uint32
	Kind     criteria.Kind // Drafted, Submitted, Accepted, RequestedChanges or Discarded
	Who      annotate.Annotator
	Text     string           // Drafted, Submitted: the sample; RequestedChanges: what to change; Discarded: why
	Image    eval.Picture     // Drafted, Submitted: the image that the text names
	Model    string           // Submitted: the model whose translation it is, which Who had made
	Original eval.DatasetName // of a translation: the dataset of the sample that it is of, which has the same id
	ID       eval.SampleID    // of a translation
	Of       string           // of a translation: HashOriginal of what it was made from, or read beside
	At       time.Time
}

// Set is a sample that is written, as its acts leave it.
type Set struct {
	Dataset  eval.DatasetName
	Sample   eval.Ordinal
	Acts     []Act          // none: nothing is stored of it
	State    criteria.State // Unwritten behind acts: it was discarded
	Text     string
	Image    eval.Picture
	Authors  []annotate.Annotator
	Model    string // that translated it; "": people wrote it
	Original eval.DatasetName
	ID       eval.SampleID
	Of       string
	Reviewer annotate.Annotator // of the last review
	Wants    string             // what that reviewer wants changed; "": nothing
	Drafts   []Act              // changes that are being written to what was submitted, one a person
	Held     *Set               // as it was accepted last, which the dataset holds; nil: never
}

// ErrAnswered says that runs have answered the sample, so that it stays as it is.
var ErrAnswered = errors.New("it stays as it was accepted: write a new sample from it")

// ErrGone says that the sample was discarded.
var ErrGone = errors.New("it was discarded meanwhile")

// FoldActs derives a sample from its acts. One that may not come where it stands counts for nothing.
func FoldActs(acts []Act) (s Set) {
	for _, a := range acts {
		if next, err := s.WithAct(a); err == nil {
			s = next
		}
	}
	return s
}

// NewAct begins the next act on the sample.
func (s *Set) NewAct(kind criteria.Kind, who annotate.Annotator, at time.Time) Act {
	return Act{
		Dataset: s.Dataset, Sample: s.Sample, N: uint32(len(s.Acts) + 1), Kind: kind, Who: who,
		Original: s.Original, ID: s.ID, At: at.UTC().Truncate(time.Millisecond),
	}
}

// IsSame reports whether two are the same sample, at whatever act.
func (s *Set) IsSame(o *Set) bool {
	return s.Dataset == o.Dataset && s.Sample == o.Sample && (len(s.Acts) == 0) == (len(o.Acts) == 0)
}

// IsAuthoredBy reports whether somebody wrote the sample, and so does not review it. A
// translation is its model's, whoever corrects it.
func (s *Set) IsAuthoredBy(who annotate.Annotator) bool {
	return s.Model == "" && slices.Contains(s.Authors, who)
}

// IsStale reports whether a translation was made from another original than that of a hash.
func (s *Set) IsStale(original string) bool { return s.Of != "" && s.Of != original }

// ChangeDraftBy gives the change that somebody is writing to what was submitted; nil for none.
func (s *Set) ChangeDraftBy(who annotate.Annotator) *Act {
	return eval.Find(s.Drafts, func(a *Act) bool { return a.Who == who })
}

// ToSample gives the sample that the dataset gets once it is accepted.
func (s *Set) ToSample() (eval.Sample, error) {
	out, err := ParseText(s.Text)
	out.ID, out.Source = s.ID, string(s.Original)
	out.Pictures = eval.Either(s.Image.Hash != "", []eval.Picture{s.Image}, nil)
	return out, err
}

// WithAct gives the sample behind one more act, or says why that act may not come.
func (s Set) WithAct(a Act) (_ Set, err error) {
	switch {
	case a.N != uint32(len(s.Acts)+1):
		return s, criteria.ErrConflict
	case strings.TrimSpace(string(a.Who)) == "":
		return s, fmt.Errorf("it says not who did it: %w", criteria.ErrIncomplete)
	case len(s.Acts) > 0 && s.State == criteria.Unwritten && a.Model == "":
		return s, ErrGone
	}
	s.Dataset, s.Sample, s.Acts = a.Dataset, a.Sample, append(slices.Clip(s.Acts), a)
	switch a.Kind {
	case criteria.Drafted:
		s.applyDraft(a)
	case criteria.Submitted:
		_, err = ParseText(a.Text)
		err = eval.WrapError(err, "%w", criteria.ErrIncomplete)
		s.applyWriting(a, criteria.InReview)
	case criteria.Discarded:
		err = s.applyDiscard(a)
	case criteria.Accepted, criteria.RequestedChanges:
		err = s.applyReview(a)
	default:
		err = fmt.Errorf("%s: no act on a sample that is written", a.Kind)
	}
	return s, err
}

// applyWriting has the text of an act stand as the sample.
func (s *Set) applyWriting(a Act, state criteria.State) {
	if a.Model != "" { // its words take the place of those of people
		s.Model, s.Authors = a.Model, nil
	} else {
		s.Authors = eval.AppendUnique(slices.Clip(s.Authors), a.Who)
	}
	s.State, s.Text, s.Image, s.Of, s.Wants = state, a.Text, a.Image, cmp.Or(a.Of, s.Of), ""
	s.Original, s.ID = a.Original, cmp.Or(a.ID, eval.SampleID(strconv.Itoa(int(a.Sample))))
	s.dropDraft(a.Who)
}

func (s *Set) dropDraft(of annotate.Annotator) {
	s.Drafts = slices.DeleteFunc(slices.Clone(s.Drafts), func(a Act) bool { return a.Who == of })
}

// applyDraft keeps a text while it is written: beside what was submitted, which stays as it is.
func (s *Set) applyDraft(a Act) {
	if s.State <= criteria.Draft {
		s.applyWriting(a, criteria.Draft)
	} else if s.dropDraft(a.Who); a.Text != s.Text {
		s.Drafts = append(s.Drafts, a)
	}
}

// applyDiscard takes away somebody's draft of a change, else what is written and not accepted:
// what was accepted before, or another person's draft, takes its place.
func (s *Set) applyDiscard(a Act) error {
	switch {
	case s.ChangeDraftBy(a.Who) != nil:
		s.dropDraft(a.Who)
		return nil
	case s.State == criteria.Approved:
		return errors.New("it is accepted, and you have no draft of a change to it")
	case s.Model == "" && !s.IsAuthoredBy(a.Who):
		return errors.New("who wrote it discards it: request changes instead")
	}
	now := Set{Dataset: s.Dataset, Sample: s.Sample, Original: s.Original, ID: s.ID}
	if s.Held != nil {
		now = *s.Held
		now.Held = s.Held
	}
	now.Acts, now.Drafts = s.Acts, s.Drafts
	if *s = now; s.Held == nil && len(s.Drafts) > 0 {
		s.applyWriting(s.Drafts[0], criteria.Draft)
	}
	return nil
}

// applyReview takes what a reviewer says. What is accepted, and of an original that changed
// since, may be accepted once more: it is still true.
func (s *Set) applyReview(a Act) error {
	stillTrue := s.State == criteria.Approved && a.Kind == criteria.Accepted && a.Of != "" && s.IsStale(a.Of)
	switch {
	case s.State != criteria.InReview && !stillTrue:
		return criteria.ErrNotInReview
	case s.IsAuthoredBy(a.Who):
		return criteria.ErrOwn
	case a.Kind == criteria.RequestedChanges && strings.TrimSpace(a.Text) == "":
		return fmt.Errorf("it says not what to change: %w", criteria.ErrIncomplete)
	}
	s.Reviewer, s.Wants, s.State = a.Who, a.Text, criteria.ChangesRequested
	if a.Kind == criteria.Accepted {
		s.State, s.Of = criteria.Approved, cmp.Or(a.Of, s.Of)
		held := *s
		held.Held, s.Held = nil, &held
	}
	return nil
}
