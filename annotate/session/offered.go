package session

import (
	"slices"

	"concord/annotate"
)

// offered lists the items that are offered to one annotator, and which of them is
// in front.
type offered struct {
	items  []annotate.Place // in the order of Place.Compare
	low    int              // the items before this one are not open
	cursor int              // len(items): behind the last item, nothing is in front
}

// front gives the item in front; false when none is.
func (f *offered) front() (annotate.Place, bool) {
	if f.cursor < 0 || f.cursor >= len(f.items) {
		return annotate.Place{}, false
	}
	return f.items[f.cursor], true
}

// position finds where an item stands or would stand, and whether it is offered.
func (f *offered) position(p annotate.Place) (int, bool) {
	return slices.BinarySearchFunc(f.items, p, annotate.Place.Compare)
}

// find gives the position of an item; -1 of one that is not offered.
func (f *offered) find(k annotate.ItemKey) int {
	return slices.IndexFunc(f.items, func(p annotate.Place) bool { return p.Key == k })
}

// merge puts further items where they belong. The one in front stays in front.
func (f *offered) merge(more []annotate.Place) {
	slices.SortFunc(more, annotate.Place.Compare)
	if n := len(f.items); len(more) == 0 || n == 0 || f.items[n-1].Compare(more[0]) < 0 {
		f.items = append(f.items, more...)
		return
	}
	if f.cursor < len(f.items) {
		before, _ := slices.BinarySearchFunc(more, f.items[f.cursor], annotate.Place.Compare)
		defer func() { f.cursor += before }()
	}
	first, _ := slices.BinarySearchFunc(f.items, more[0], annotate.Place.Compare)
	f.low = min(f.low, first)
	all := make([]annotate.Place, 0, len(f.items)+len(more))
	all = append(all, f.items[:first]...)
	for rest := f.items[first:]; len(rest)+len(more) > 0; {
		if len(more) == 0 || len(rest) > 0 && rest[0].Compare(more[0]) < 0 {
			all, rest = append(all, rest[0]), rest[1:]
		} else {
			all, more = append(all, more[0]), more[1:]
		}
	}
	f.items = all
}

// insert puts one item where it belongs. It reports false for one that is offered
// already.
func (f *offered) insert(p annotate.Place) bool {
	at, there := f.position(p)
	if there {
		return false
	}
	f.items, f.low = slices.Insert(f.items, at, p), min(f.low, at)
	if at <= f.cursor {
		f.cursor++
	}
	return true
}

// remove takes items out, and calls gone for each that was offered.
func (f *offered) remove(places []annotate.Place, gone func(annotate.ItemKey)) {
	slices.SortFunc(places, annotate.Place.Compare)
	kept, from, before := 0, 0, 0
	for _, p := range places {
		n, there := slices.BinarySearchFunc(f.items[from:], p, annotate.Place.Compare)
		if !there {
			continue
		}
		kept += copy(f.items[kept:], f.items[from:from+n])
		if from += n + 1; from <= f.cursor {
			before++
		}
		gone(p.Key)
	}
	kept += copy(f.items[kept:], f.items[from:])
	f.items, f.cursor, f.low = f.items[:kept], f.cursor-before, max(0, f.low-len(places))
}

// removeAt takes the item at a position out. One that was in front leaves the
// one before it there.
func (f *offered) removeAt(i int) {
	f.items = slices.Delete(f.items, i, i+1)
	if i < f.low {
		f.low--
	}
	if f.cursor >= i {
		f.cursor--
	}
}
