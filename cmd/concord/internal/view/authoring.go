package view

import (
	"context"
	"errors"
	"path/filepath"

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
	for set, err := range a.Store.Authoring().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		row := authoringscreen.Row{Set: set}
		if set.Original != "" {
			s, err := a.Store.Datasets().SampleByID(set.Original, set.ID)
			if err != nil {
				return nil, err
			}
			row.Source = authoring.FormatText(&s, set.Image.Name)
		}
		out = append(out, row)
	}
	return out, nil
}

// Append stores an act. The image that a submitted text names is read, unless it is the
// one that the sample has.
func (a Authoring) Append(ctx context.Context, act authoring.Act) (authoring.Set, error) {
	s, image, err := authoring.ParseText(act.Text)
	if act.Kind != criteria.Submitted || err != nil || image == act.Image.Name {
		return a.Store.Authoring().Append(ctx, act, nil)
	}
	if act.Image = (eval.Picture{}); image == "" {
		return a.Store.Authoring().Append(ctx, act, nil)
	}
	if !a.Local {
		return authoring.Set{}, errors.New("images are read where the project is served: leave Image empty, and have somebody there add it")
	}
	data, hash, err := readPicture(image)
	if err != nil {
		return authoring.Set{}, err
	}
	act.Image = eval.Picture{Hash: hash, Name: filepath.Base(image)}
	act.Text = authoring.FormatText(&s, act.Image.Name)
	return a.Store.Authoring().Append(ctx, act, map[eval.PictureHash][]byte{hash: data})
}

// Picture gives the bytes of an image.
func (a Authoring) Picture(hash eval.PictureHash) ([]byte, error) {
	return a.Store.Datasets().Picture(hash)
}
