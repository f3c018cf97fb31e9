package view

import (
	"context"
	"errors"

	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/store"
	authoringscreen "concord/tui/authoring"
)

// Authoring shows and stores the samples that are written in the project.
type Authoring struct {
	Store *store.Store
	Local bool // who writes may have files of this machine read
}

// Rows gives what is written for a dataset; "" for all.
func (a Authoring) Rows(ctx context.Context, d eval.DatasetName) (out []authoringscreen.Row, err error) {
	for set, err := range a.Store.Authoring().AllSets(ctx, d) {
		if err != nil {
			return nil, err
		}
		row := authoringscreen.Row{Set: set}
		if set.State == criteria.Unwritten {
			continue // it was discarded
		}
		if set.Original != "" {
			s, hash, err := a.Store.Authoring().Original(&set)
			if err != nil {
				return nil, err
			}
			row.Source, row.SourceHash = authoring.FormatText(&s), hash
		}
		out = append(out, row)
	}
	return out, nil
}

// Append stores an act. The image that a submitted text names is read, unless the sample has it.
func (a Authoring) Append(ctx context.Context, act authoring.Act) (set authoring.Set, err error) {
	var images map[eval.PictureHash][]byte
	s, err := authoring.ParseText(act.Text)
	switch named := s.Pictures; {
	case act.Kind != criteria.Submitted || err != nil:
	case len(named) == 0:
		act.Image = eval.Picture{}
	case named[0].Name == act.Image.Name:
	case !a.Local:
		return set, errors.New("images are read where the project is served: leave Image empty, and have somebody there add it")
	default:
		if s.Pictures, images, err = readImageFile(ctx, named[0].Name); err != nil {
			return set, err
		}
		act.Image, act.Text = s.Pictures[0], authoring.FormatText(&s)
	}
	return a.Store.Authoring().Append(ctx, act, images)
}

// Picture gives the bytes of an image.
func (a Authoring) Picture(hash eval.PictureHash) ([]byte, error) {
	return a.Store.Datasets().Picture(hash)
}
