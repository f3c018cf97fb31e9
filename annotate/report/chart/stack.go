package chart

import "strconv"

// Stack is a whole and its parts, which are drawn one behind the other.
type Stack struct {
	Label string
	Parts []int
}

// Stacks draws wholes of one length each, cut into the shares of their parts,
// which names name.
func Stacks(title string, names []string, stacks []Stack) Drawing {
	d := Drawing{Title: title, Width: width, Legend: names}
	y := float64(top)
	for _, s := range stacks {
		d.stack(&s, names, y)
		y += row
	}
	const whole = 100
	d.scale(y-top, span{0, whole}, "%")
	d.Height = int(y) + axis
	return d
}

func (d *Drawing) stack(s *Stack, names []string, y float64) {
	d.Texts = append(d.Texts, Text{X: label - 8, Y: y + 15, Anchor: "end", Text: fit(s.Label, label-16)})
	total := 0
	for _, n := range s.Parts {
		total += max(n, 0)
	}
	d.Texts = append(d.Texts, Text{X: label + plot + 8, Y: y + 15, Anchor: "start", Text: "n " + strconv.Itoa(total)})
	done := 0
	for i, n := range s.Parts {
		if n <= 0 {
			continue
		}
		from := at(float64(done) / float64(total))
		done += n
		to := at(float64(done) / float64(total))
		name := ""
		if i < len(names) {
			name = names[i]
		}
		d.Rects = append(d.Rects, Rect{
			X: from, Y: y + (row-bar)/2, W: to - from, H: bar, Series: i % Series, Opacity: 1, Tip: s.Label + ", " + name + ": " + strconv.Itoa(n),
		})
		if text := strconv.Itoa(n); to-from > float64(letter*(len(text)+1)) {
			d.Texts = append(d.Texts, Text{X: (from + to) / 2, Y: y + 15, Anchor: "middle", Text: text})
		}
	}
}
