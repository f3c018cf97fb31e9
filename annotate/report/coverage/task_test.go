package coverage

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// taskSettings are the mean of tasks (BLINK), which are as hard as they are: of
// questions by themselves, and of several about an image that is known or not.
func taskSettings() []setting {
	var out []setting
	for _, c := range []struct {
		tasks, images, each int
		right, apart        float64 // of the tasks together, and of the last less than the first
	}{{14, 100, 1, 0.5, 0.6}, {14, 8, 1, 0.5, 0.6}, {14, 3, 1, 0.5, 0.6}, {6, 10, 3, 0.6, 0.4}, {3, 8, 1, 0.6, 0.4}, {3, 8, 1, 0.9, 0.1}, {3, 5, 4, 0.6, 0.4}, {2, 12, 1, 0.5, 0}, {2, 12, 1, 0.9, 0.1}, {2, 30, 1, 0.9, 0.1}, {2, 4, 5, 0.7, 0}, {5, 2, 10, 0.6, 0.4}} {
		shared := ""
		if c.each > 1 {
			shared = fmt.Sprintf(" of %d questions each", c.each)
		}
		few := c.tasks*c.images < 30 || float64(c.tasks*c.images)*(1-c.right) < 10
		out = append(out, setting{
			figure: "accuracy: mean of tasks", what: fmt.Sprintf("%d tasks, %d images%s, %g right, %g apart", c.tasks, c.images, shared, c.right, c.apart), method: "tasks as strata",
			warned: few, slow: c.tasks*c.images > 1000, draw: func(r *rand.Rand) []look {
				t := metric.NewTally(scheme(eval.Vanilla))
				for task := range c.tasks {
					p := c.right + c.apart/2 - c.apart*float64(task)/float64(c.tasks-1)
					for image := range c.images {
						known := chance(r, p)
						for range c.each {
							o := t.TotalCounts().Root.Vanilla.Questions()
							q := question(o, 1, func(_ int, truth eval.Choice) string {
								if c.each == 1 && known || c.each > 1 && chance(r, map[bool]float64{true: p + (1-p)/2, false: p / 2}[known]) {
									return string(truth)
								}
								return wrong(truth)
							})
							q.Sample.Taxonomy = []string{"task " + strconv.Itoa(task)}
							if c.each > 1 {
								q.Sample.Pictures = []eval.Picture{{Name: fmt.Sprint(image)}}
							}
							t.AddQuestion(&q)
						}
					}
				}
				_, score := t.TotalCounts().Root.DatasetMetric(metric.TaskMean, eval.Vanilla)
				truth := c.right
				if c.each > 1 { // of an image that is known more, of others less
					truth = 0
					for task := range c.tasks {
						p := c.right + c.apart/2 - c.apart*float64(task)/float64(c.tasks-1)
						truth += (p*(p+(1-p)/2) + (1-p)*p/2) / float64(c.tasks)
					}
				}
				e := score.(stat.Estimate)
				if e.WhyUndefined() != "" {
					return nil
				}
				return []look{{truth, e.Low, e.High}}
			},
		})
	}
	return out
}
