package dataset

import (
	"errors"
	"strings"

	"concord/eval"
	"concord/eval/dataset/profile"
)

// twin is what tells a question of MME in every file that has it: releases
// and tools number the same questions in other orders, and put other requests
// for a short answer behind them.
type twin struct{ subtask, picture, question string }

// twinOf is zero for what is no question of MME about a picture with a name.
func twinOf(s *eval.Sample, pictures []string) twin {
	levels := s.Taxonomy
	if s.Kind != eval.KindYesNo || len(levels) == 0 || len(pictures) == 0 || eval.MMEAbility(levels[len(levels)-1]) == "" {
		return twin{}
	}
	question := squeeze(s.Question)
	for _, request := range []string{"Please answer yes or no.", "Answer the question using a single word or phrase."} {
		question = strings.TrimSpace(strings.TrimSuffix(question, request))
	}
	name := pictures[0]
	return twin{levels[len(levels)-1], name[strings.LastIndexAny(name, `/\`)+1:], question}
}

func namesOf(pictures []eval.Picture) []string {
	names := make([]string, len(pictures))
	for i, p := range pictures {
		names[i] = p.Name
	}
	return names
}

// answered is the sample that a row answers: the one of its id, or, where MME's
// files number their questions differently, the one that asks the same about
// the same picture.
func (p *predictor) answered(r *profile.Row, rec *record, e *entry) (eval.Sample, error) {
	s, err := p.sink.SampleByID(p.o.Dataset, e.id)
	want := twinOf(&rec.sample, r.Paths())
	switch {
	case err != nil && !errors.Is(err, eval.ErrNotFound):
		return s, err
	case want == twin{} || err == nil && (p.sum.Made || twinOf(&s, namesOf(s.Pictures)) == want):
		return s, err
	}
	if p.twins == nil {
		var err error
		if p.twins, err = readTwins(p.sink, p.o.Dataset); err != nil {
			return s, err
		}
	}
	if o, ok := p.twins[want]; ok {
		if s, err = p.sink.Sample(p.o.Dataset, o); err == nil {
			rec.sample.Question = s.Question
		}
	}
	return s, err
}

// readTwins reads a dataset's questions once.
func readTwins(sink Sink, name eval.DatasetName) (map[twin]eval.Ordinal, error) {
	twins := make(map[twin]eval.Ordinal)
	for o := eval.Ordinal(0); ; o++ {
		s, err := sink.Sample(name, o)
		if errors.Is(err, eval.ErrNotFound) {
			return twins, nil
		}
		if err != nil {
			return nil, err
		}
		if t := twinOf(&s, namesOf(s.Pictures)); t != (twin{}) {
			twins[t] = o
		}
	}
}
