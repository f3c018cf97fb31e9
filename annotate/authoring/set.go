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
	Kind     criteria.Kind // Drafted, Submitted, Accepted or RequestedChanges
	Who      annotate.Annotator
	Text     string           // Drafted, Submitted: the sample; RequestedChanges: what to change
	Image    eval.Picture     // Drafted, Submitted: the image that the text names
	Model    string           // Submitted: the model whose translation it is, which Who had made
	Original eval.DatasetName // of a translation: the dataset of the sample that it is of, which has the same id
	ID       eval.SampleID    // of a translation
	At       time.Time
}

// Set is a sample that is written, as its acts leave it.
type Set struct {
	Dataset  eval.DatasetName
	Sample   eval.Ordinal
	Acts     []Act // none: nothing is stored of it
	State    criteria.State
	Text     string
	Image    eval.Picture
	Authors  []annotate.Annotator
	Model    string // that translated it; "": people wrote it
	Original eval.DatasetName
	ID       eval.SampleID
	Reviewer annotate.Annotator // of the last review
	Wants    string             // what that reviewer wants changed; "": nothing
}

// ErrAnswered says that runs have answered the sample, so that it stays as it is.
var ErrAnswered = errors.New("it stays as it was accepted: write a new sample from it")

// Fold derives a sample from its acts. One that may not come where it stands counts for nothing.
func Fold(acts []Act) (s Set) {
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

// IsOwn reports whether somebody wrote the sample, and so does not review it. A
// translation is its model's, whoever corrects it.
func (s *Set) IsOwn(who annotate.Annotator) bool {
	return s.Model == "" && slices.Contains(s.Authors, who)
}

// ToSample gives the sample that the dataset gets once it is accepted.
func (s *Set) ToSample() (eval.Sample, error) {
	out, err := ParseText(s.Text)
	out.ID, out.Source = s.ID, string(s.Original)
	out.Pictures = eval.Either(s.Image.Hash != "", []eval.Picture{s.Image}, nil)
	return out, err
}

// WithAct gives the sample behind one more act, or says why that act may not come.
func (s Set) WithAct(a Act) (Set, error) {
	switch {
	case a.N != uint32(len(s.Acts)+1):
		return s, criteria.ErrConflict
	case strings.TrimSpace(string(a.Who)) == "":
		return s, fmt.Errorf("it says not who did it: %w", criteria.ErrIncomplete)
	}
	s.Dataset, s.Sample, s.Acts = a.Dataset, a.Sample, append(slices.Clip(s.Acts), a)
	switch a.Kind {
	case criteria.Drafted, criteria.Submitted:
		if _, err := ParseText(a.Text); err != nil && a.Kind == criteria.Submitted {
			return s, fmt.Errorf("%w: %w", criteria.ErrIncomplete, err)
		}
		s.State = eval.Either(a.Kind == criteria.Drafted, criteria.Draft, criteria.InReview)
		s.Text, s.Image, s.Model, s.Wants = a.Text, a.Image, cmp.Or(s.Model, a.Model), ""
		s.Original, s.ID = a.Original, cmp.Or(a.ID, eval.SampleID(strconv.Itoa(int(a.Sample))))
		if a.Model == "" {
			s.Authors = eval.AddNew(slices.Clip(s.Authors), a.Who)
		}
		return s, nil
	case criteria.Accepted, criteria.RequestedChanges:
	default:
		return s, fmt.Errorf("%s: no act on a sample that is written", a.Kind)
	}
	switch {
	case s.State != criteria.InReview:
		return s, criteria.ErrNotInReview
	case s.IsOwn(a.Who):
		return s, criteria.ErrOwn
	case a.Kind == criteria.RequestedChanges && strings.TrimSpace(a.Text) == "":
		return s, fmt.Errorf("it says not what to change: %w", criteria.ErrIncomplete)
	}
	s.Reviewer, s.Wants = a.Who, a.Text
	s.State = eval.Either(a.Kind == criteria.Accepted, criteria.Approved, criteria.ChangesRequested)
	return s, nil
}
