package main

import (
	"fmt"

	"concord/eval"
)

// modelCards is what the configuration knows of models. Figures do not depend on
// it: a configuration that cannot be read is told, and tables go without.
func modelCards(a *app) func(model string) (eval.Card, bool) {
	conf, err := a.config()
	if err != nil {
		_, _ = fmt.Fprintf(a.err, "models are printed without their cards: %s\n", err)
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
