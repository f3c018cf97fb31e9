package exchange

import (
	"fmt"
	"regexp"

	"concord/cmd/concord/internal/project"
	"concord/eval/dataset"
)

// Problems are what an import says of rows, with a line for each kind of it: the
// first row, and how many more there are.
type Problems struct {
	tell  func(dataset.Problem)
	order []string
	first map[string]dataset.Problem
	more  map[string]int
}

// NewProblems tells them where the command tells problems.
func NewProblems(a *project.Project) *Problems {
	return &Problems{tell: a.Problem, first: map[string]dataset.Problem{}, more: map[string]int{}}
}

// particular is what differs between messages of one kind: quoted texts, numbers.
var particular = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\d+`)

// Add takes a problem.
func (p *Problems) Add(one dataset.Problem) {
	kind := fmt.Sprint(one.Warning, particular.ReplaceAllString(one.Reason, "#"))
	if _, ok := p.first[kind]; ok {
		p.more[kind]++
		return
	}
	p.order = append(p.order, kind)
	p.first[kind] = one
}

// Tell tells them, in the order of the first rows.
func (p *Problems) Tell() {
	for _, kind := range p.order {
		one := p.first[kind]
		if n := p.more[kind]; n > 0 {
			one.Reason += fmt.Sprintf(" (and %d more of this kind)", n)
		}
		p.tell(one)
	}
}
