package engine

import "concord/eval"

// purse knows what work has cost: by the usage of all that is stored, and of
// the calls of this session that left no fact.
type purse struct {
	model  eval.Price // of the model, or of whom single calls ask
	judges map[string]eval.Price
	asks   bool                  // a model is asked
	needed map[string]bool       // judges that are asked
	lost   map[string]eval.Usage // of attempts that left no fact, by judge; "" is the model
}

func newPurse(model eval.Price, asks bool) purse {
	return purse{model: model, asks: asks, needed: make(map[string]bool), lost: make(map[string]eval.Usage)}
}

// cost is what a run with this progress has cost, and whether all the prices
// are known that it takes.
func (u *purse) cost(p *eval.Progress) (sum float64, priced bool) {
	priced = true
	add := func(price eval.Price, stored eval.Usage, judge string, asked bool) {
		stored.Add(u.lost[judge])
		sum += price.Cost(stored)
		if !price.Known() && (asked || stored != eval.Usage{}) {
			priced = false
		}
	}
	asked := p.Counts.Usage
	asked.Add(p.Tally.Usage)
	add(u.model, asked, "", u.asks)
	for i := range p.Judges {
		j := &p.Judges[i]
		add(u.judges[j.Judge], j.Counts.Usage, j.Judge, u.needed[j.Judge])
	}
	return sum, priced
}

// spend counts a call that left no fact, of a judge, or by "" of the model.
func (t *tracker) spend(judge string, u eval.Usage) {
	t.update(func(*eval.Progress) {
		sum := t.purse.lost[judge]
		sum.Add(u)
		t.purse.lost[judge] = sum
	})
}

// over reports whether the run has cost its budget, and what that is.
func (t *tracker) over() (budget float64, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	budget = t.progress.Budget
	if budget <= 0 {
		return budget, false
	}
	cost, _ := t.purse.cost(&t.progress)
	return budget, cost >= budget
}

func (t *tracker) budget(b float64) { t.update(func(p *eval.Progress) { p.Budget = b }) }

// count adds a committed fact; replaced tells that it took a failure's place.
func (t *tracker) count(f *eval.Fact, replaced bool) {
	t.update(func(p *eval.Progress) {
		p.Counts.Take(f, replaced)
		if !replaced {
			t.mean.add()
		}
		t.rate.add(t.now())
	})
}

// judged adds a committed judgment, in the place of its judge's last one.
func (t *tracker) judged(j, last *eval.Judgment, closes bool) {
	t.update(func(p *eval.Progress) {
		judge := t.judgeProgress(j.Judge)
		judge.Counts.Take(j, last)
		if !j.Final() {
			judge.Lost++
		}
		if closes {
			p.Counts.Questions++
		}
		t.rate.add(t.now())
	})
}
