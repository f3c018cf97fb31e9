package annotate

import (
	"slices"

	"concord/annotate/agree"
)

// Rated are the items that an extractor and people read, for the alternative
// annotator test: labels that were given blind, of items that count.
func Rated(items []AlignItem, x *Extractor) []agree.Rated {
	var people []Annotator
	var out []agree.Rated
	for i := range items {
		it := &items[i]
		machine, ok := x.Read(it.Key.Key)
		if !ok || it.Gold || it.Failed || it.Excluded || x.LeftOut != "" {
			continue
		}
		one := agree.Rated{Judge: agree.Saying{Class: sideOfMachine(machine).class()}, People: make(map[int]agree.Saying)}
		for _, l := range it.Labels {
			if l.Informed || l.Reading.Verdict == Scored || l.Reading.Verdict == Voted {
				continue
			}
			at := slices.Index(people, l.Annotator)
			if at < 0 {
				at = len(people)
				people = append(people, l.Annotator)
			}
			one.People[at] = agree.Saying{Class: sideOf(l.Reading).class()}
		}
		out = append(out, one)
	}
	return out
}
