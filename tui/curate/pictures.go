package curate

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// cardPictures holds those of the cards at hand, as they were read.
type cardPictures struct {
	theme  *widget.Theme
	source Source
	cards  *candidateSet
	seen   map[eval.PictureHash]annotation.Picture
	coming map[eval.PictureHash]bool
	order  []eval.PictureHash
	redraw func() tea.Cmd // draws the one in front
}

// most is how many pictures stay in memory, and ahead of how many cards they are
// read before those are in front.
const (
	most  = 12
	ahead = 3
)

// keepPicture keeps a picture that was read.
func (p *cardPictures) keepPicture(pic annotation.Picture) {
	delete(p.coming, pic.Hash)
	p.seen[pic.Hash] = pic
	p.order = append(p.order, pic.Hash)
	for len(p.order) > most {
		delete(p.seen, p.order[0])
		p.order = p.order[1:]
	}
}

// readPictures reads the pictures of the next cards: of the one in front from the n-th on,
// with the one behind it.
func (p *cardPictures) readPictures(n int) tea.Cmd {
	var cmds []tea.Cmd
	for at := p.cards.at; at < min(len(p.cards.shown), p.cards.at+ahead); at++ {
		all := p.cards.open.Cards[p.cards.shown[at]].Sample.Pictures
		for _, one := range all[min(n, len(all)):min(len(all), n+2)] {
			if _, known := p.seen[one.Hash]; known || one.Hash == "" || p.coming[one.Hash] {
				continue
			}
			p.coming[one.Hash] = true
			cmds = append(cmds, func() tea.Msg {
				pic := annotation.ReadPicture(p.theme.Images, storedSource{p.source}, one)
				return outcome(func() tea.Cmd {
					p.keepPicture(pic)
					return p.redraw()
				})
			})
		}
		n = 0
	}
	return tea.Batch(cmds...)
}

// currentPage is the card in front with its pictures; nil when there is none.
func (p *cardPictures) currentPage() *annotation.Page {
	c := p.cards.currentCard()
	if c == nil {
		return nil
	}
	pg := &annotation.Page{}
	for _, one := range c.Sample.Pictures {
		pic, known := p.seen[one.Hash]
		switch {
		case one.Hash == "":
			pic = annotation.ReadPicture(nil, nil, one)
		case !known:
			pic = annotation.Picture{Hash: one.Hash, Name: one.Name}
		}
		pg.Pictures = append(pg.Pictures, pic)
	}
	return pg
}

// storedSource is a source of which a picture may be missing.
type storedSource struct{ Source }

// Picture reads the bytes of a picture.
func (s storedSource) Picture(h eval.PictureHash) ([]byte, error) {
	data, err := s.Source.Picture(h)
	if errors.Is(err, eval.ErrNotFound) {
		err = widget.ErrNoPicture
	}
	return data, err
}
