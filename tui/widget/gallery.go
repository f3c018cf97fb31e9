package widget

import (
	"errors"
	"fmt"
)

// Gallery is the pictures that belong to one thing, of which one is in front.
// The zero value has none.
type Gallery struct {
	all []exhibit
	at  int
}

// exhibit is a picture, or why it cannot be shown.
type exhibit struct {
	image *Picture
	name  string
	err   error
}

// Add puts a picture behind the others, or why it cannot be shown: it is
// counted all the same. The first that can be shown is in front.
func (g *Gallery) Add(p *Picture, name string, err error) {
	if p != nil && !g.Seen() {
		g.at = len(g.all)
	}
	g.all = append(g.all, exhibit{p, name, err})
}

// Len is how many there are, those that cannot be shown too.
func (g *Gallery) Len() int { return len(g.all) }

// Seen reports whether any can be shown.
func (g *Gallery) Seen() bool {
	for i := range g.all {
		if g.all[i].image != nil {
			return true
		}
	}
	return false
}

// At is the n-th picture, from 0; nil when it cannot be shown.
func (g *Gallery) At(n int) *Picture {
	if n < 0 || n >= len(g.all) {
		return nil
	}
	return g.all[n].image
}

// Front is the picture in front; nil when it cannot be shown, or there is none.
func (g *Gallery) Front() *Picture { return g.At(g.at) }

// Name is what the file of the picture in front was called.
func (g *Gallery) Name() string {
	if g.at >= len(g.all) {
		return ""
	}
	return g.all[g.at].name
}

// Next brings the next picture to the front, the first after the last, and
// reports whether there is another.
func (g *Gallery) Next() bool {
	if len(g.all) < 2 {
		return false
	}
	g.at = (g.at + 1) % len(g.all)
	return true
}

// Place is which of several pictures is in front and the key of the next one;
// "" where there are not several.
func (g *Gallery) Place(next string) string {
	if len(g.all) < 2 {
		return ""
	}
	return fmt.Sprintf("image %d of %d, %s next  ", g.at+1, len(g.all), next)
}

// About is the place, size and name of the picture in front, or why it cannot
// be shown.
func (g *Gallery) About(next string) string {
	if g.at >= len(g.all) {
		return ""
	}
	e, text := &g.all[g.at], g.Place(next)
	switch {
	case e.err != nil:
		return text + "no image: " + Line(e.err.Error())
	case e.name == "":
		return text + e.image.Size()
	}
	return text + e.image.Size() + "  " + Line(e.name)
}

// Trouble is why pictures cannot be shown; nil when all can.
func (g *Gallery) Trouble() error {
	var all []error
	for i := range g.all {
		all = append(all, g.all[i].err)
	}
	return errors.Join(all...)
}
