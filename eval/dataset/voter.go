package dataset

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"concord/eval"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/rowfile"
)

// newRunConfig gives that of a run that is made of the answers in the file.
func (b *voteImporter) newRunConfig(model string) eval.Config {
	return eval.Config{
		Dataset: b.o.Dataset, Model: model, Strategy: eval.Vanilla, Modality: eval.WithImage,
		Origin: eval.Imported, File: filepath.Base(b.src.File.Path),
	}
}

func (b *voteImporter) chooseRunsOfModels(ctx context.Context, models []string) error {
	all, err := b.sinks.Runs.List()
	if err != nil {
		return fmt.Errorf("list runs: %w", err)
	}
	for _, id := range b.o.Runs {
		if !slices.ContainsFunc(all, func(r eval.Run) bool {
			return r.ID == id && r.Config.Dataset == b.o.Dataset && slices.Contains(models, r.Config.Model)
		}) {
			return fmt.Errorf("run %d is of none of the file's models on dataset %s", id, b.o.Dataset)
		}
	}
	b.runs = make(map[string]*votedModel, len(models))
	for _, model := range models {
		found := eval.RunsOfModel(all, b.o.Dataset, model, b.o.Runs)
		v := &votedModel{}
		switch {
		case len(found) > 1:
			return fmt.Errorf("model %.80s has %d runs on dataset %s (%d and %d among them): name one with --run",
				model, len(found), b.o.Dataset, found[0].ID, found[1].ID)
		case len(found) == 1:
			v.run = found[0]
			own, err := b.sinks.Runs.FindRun(b.newRunConfig(model))
			if err != nil && !errors.Is(err, eval.ErrNotFound) {
				return fmt.Errorf("find run: %w", err)
			}
			v.own = err == nil && own.ID == v.run.ID // an import that was interrupted, or is repeated
		default:
			if v.run, err = b.sinks.Runs.CreateRun(ctx, b.newRunConfig(model)); err != nil {
				return fmt.Errorf("create run: %w", err)
			}
			v.own = true
		}
		b.runs[model] = v
		b.sum.Runs = append(b.sum.Runs, VoteRun{Run: v.run.ID, Model: model, Made: len(found) == 0})
	}
	return nil
}

func (b *voteImporter) importVote(ctx context.Context, v *rowfile.VoteRow) error {
	s, err := b.sinks.Samples.SampleByID(b.o.Dataset, v.Sample)
	if errors.Is(err, eval.ErrNotFound) {
		return b.countAndReport(problem.NewAt(b.src.File.Path, v.Line, "the dataset %s has no sample %.80s", b.o.Dataset, v.Sample))
	}
	if err != nil {
		return fmt.Errorf("look up sample %s: %w", v.Sample, err)
	}
	for i := range v.Models {
		ok, err := b.findAnswer(v, i, &s)
		if err != nil || !ok {
			return err
		}
	}
	p := eval.Preference{
		Pair:   eval.Pair{Sample: s.Ordinal, First: b.runs[v.Models[0]].run.ID, Second: b.runs[v.Models[1]].run.ID},
		Ballot: eval.Ballot{Judge: eval.Either(b.o.Judge != "" || v.Form == rowfile.FormReleased, b.judge, v.Judge), Criteria: v.Criteria != nil, Input: eval.SeesImage},
		Raw:    v.Reply.Text, Call: eval.Call{Served: v.Reply.Model, Finish: v.Reply.Finish, Usage: v.Reply.Usage, At: v.At},
	}
	if p.Judge == "" {
		return b.countAndReport(problem.NewAt(b.src.File.Path, v.Line, "the row names no judge"))
	}
	if p.At.IsZero() {
		p.At = b.at
	}
	if v.Criteria != nil && *v.Criteria != "" {
		if p.Text, err = b.sinks.Texts.Put(ctx, *v.Criteria); err != nil {
			return fmt.Errorf("keep criteria: %w", err)
		}
	}
	if err := b.readJudgeReply(&p, v); err != nil {
		return err
	}
	b.sum.Read++
	b.votes = append(b.votes, p)
	b.size += len(p.Raw) + 256
	if b.size >= factBytes || len(b.votes) >= factCount {
		return b.flushVotes(ctx)
	}
	return nil
}

// readJudgeReply reads the judge's reply, and compares with what the file's own reader made of it.
func (b *voteImporter) readJudgeReply(p *eval.Preference, v *rowfile.VoteRow) error {
	var ok bool
	if p.Vote, ok = b.o.Read(v.Reply); !ok {
		b.sum.Unparsed++
		if err := b.reportWarning(v.Line, "sample %.80s, %.80s first: the judge's reply holds no vote: it is kept as unparsed", v.Sample, v.Models[0]); err != nil {
			return err
		}
	}
	stated, said := v.ParseStatedVote()
	if !said || stated == p.Vote {
		return nil
	}
	b.sum.Differ++
	reading := eval.Either(ok, p.Vote.String(), "nothing")
	return b.reportWarning(v.Line, "sample %.80s, %.80s first: the file states the vote %.80q, the judge's reply is read as %s", v.Sample, v.Models[0], v.Stated, reading)
}

// findAnswer looks up one of the two answers, or takes it from the file where the
// run is made of that. It reports false for a row that has been reported.
func (b *voteImporter) findAnswer(v *rowfile.VoteRow, i int, s *eval.Sample) (bool, error) {
	who, text := b.runs[v.Models[i]], v.Answers[i]
	k := eval.Key{Run: who.run.ID, Sample: s.Ordinal}
	have, known := b.fresh[k]
	if !known {
		old, err := b.sinks.Runs.Prediction(k)
		switch {
		case err == nil && old.Failure == nil:
			have, known = old.Text, true
		case err != nil && !errors.Is(err, eval.ErrNotFound):
			return false, fmt.Errorf("look up prediction %s: %w", k, err)
		}
	}
	switch {
	case known && text != nil && *text != have:
		b.sum.OtherAnswer++
		return true, b.reportWarning(v.Line, "the answer of %.80s differs from that of run %d, which is kept", v.Models[i], k.Run)
	case known:
		return true, nil
	case who.own && text != nil:
		f := eval.Fact{Prediction: eval.Prediction{Key: k, Text: *text, At: b.at}, Closes: true}
		if b.o.Reader != nil {
			f.Reader, f.Reading = eval.ReaderID(b.o.Reader), eval.ReadPrediction(b.o.Reader, s, &f.Prediction)
		}
		b.facts = append(b.facts, f)
		b.fresh[k] = *text
		b.size += len(*text) + 256
		return true, nil
	}
	b.sum.NoAnswer++
	where := fmt.Sprintf("run %d has no answer of %.80s to sample %.80s", k.Run, v.Models[i], v.Sample)
	if who.own {
		where = fmt.Sprintf("there is no answer of %.80s to sample %.80s", v.Models[i], v.Sample)
	}
	return false, b.countAndReport(problem.NewAt(b.src.File.Path, v.Line, "%s: a vote on it is not taken", where))
}

// flushVotes records the answers that wait, and then the votes on them.
func (b *voteImporter) flushVotes(ctx context.Context) error {
	if len(b.facts) > 0 {
		if _, err := b.sinks.Runs.RecordAll(ctx, b.facts); err != nil {
			return fmt.Errorf("record answers: %w", err)
		}
	}
	if len(b.votes) > 0 {
		added, err := b.sinks.Votes.Put(ctx, b.votes)
		if err != nil {
			return fmt.Errorf("put votes: %w", err)
		}
		b.sum.Added += added
		b.sum.Unchanged += len(b.votes) - added
	}
	clear(b.fresh)
	b.facts, b.votes, b.size = nil, nil, 0
	return nil
}
