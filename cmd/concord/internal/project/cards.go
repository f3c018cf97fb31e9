package project

import (
	"fmt"

	"concord/eval"
)

// Cards is what the configuration knows of models. Figures do not depend on
// it: a configuration that cannot be read is told, and tables go without.
func Cards(a *Project) func(model string) (eval.Card, bool) {
	conf, err := a.Config()
	if err != nil {
		_, _ = fmt.Fprintf(a.Err, "models are printed without their cards: %s\n", err)
		return nil
	}
	known := make(map[string]eval.Card)
	for _, c := range conf.Cards() {
		known[c.Model] = c
	}
	return func(model string) (eval.Card, bool) {
		c, ok := known[model]
		return c, ok
	}
}
