package annotation

import (
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// kept is how many items stay in memory, with their pictures.
const kept = 8

// Page is an item as it was read, with its pictures decoded.
type Page struct {
	Item     annotate.Item
	Pictures []Picture
	Err      error
}

// Picture is a picture of an item, or why it cannot be shown.
type Picture struct {
	hash  eval.PictureHash
	Name  string
	Image *widget.Picture
	Err   error
}

// entry is an item at hand; body is nil when it could not be read.
type entry[B any] struct {
	page *Page
	body *B
}

// pages are the items at hand, the one used last at the end.
type pages[B any] struct {
	byIndex map[int]entry[B]
	order   []int
	coming  map[int]bool
}

func newPages[B any]() pages[B] {
	return pages[B]{byIndex: make(map[int]entry[B]), coming: make(map[int]bool)}
}

func (p *pages[B]) get(index int) entry[B] { return p.byIndex[index] }

// use marks an item as needed, and returns it.
func (p *pages[B]) use(index int) entry[B] {
	at, ok := p.byIndex[index]
	if ok {
		p.last(index)
	}
	return at
}

func (p *pages[B]) put(index int, at entry[B]) {
	delete(p.coming, index)
	p.byIndex[index] = at
	p.last(index)
}

// trim forgets the items that were used longest ago, but none that is wanted:
// what was asked for may come late and in any order.
func (p *pages[B]) trim(wanted []int) {
	for i := 0; i < len(p.order) && len(p.order) > kept; {
		if index := p.order[i]; !slices.Contains(wanted, index) {
			delete(p.byIndex, index)
			p.order = slices.Delete(p.order, i, i+1)
			continue
		}
		i++
	}
}

func (p *pages[B]) last(index int) {
	p.order = append(slices.DeleteFunc(p.order, func(i int) bool { return i == index }), index)
}

// retry forgets an item that could not be read, so that it is read again.
func (p *pages[B]) retry(index int) {
	if at := p.byIndex[index]; at.page != nil && at.page.Err != nil {
		delete(p.byIndex, index)
		p.order = slices.DeleteFunc(p.order, func(i int) bool { return i == index })
	}
}
