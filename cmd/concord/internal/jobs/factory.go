package jobs

import (
	"net/http"

	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// Factory makes runs and jobs from orders. It holds the project, the
// configuration, and the endpoints that all runs of this process share.
//
//	order --configure--> eval.Config --open--> eval.Run --plan--> engine.Plan --> Running or runToEnd
type Factory struct {
	*project.Project
	Store    *store.Store
	Conf     *config.Config
	Models   Models
	Prompts  Templates
	Datasets Datasets
	Evidence Evidence
	runs     runs
	Watched  bool   // somebody sees the jobs' state: a host without an address is waited for
	base     []byte // configuration below that of files
}

// NewFactory reads the configuration. Nothing is asked of an endpoint yet.
func NewFactory(a *project.Project, st *store.Store) (*Factory, error) {
	return NewFactoryWith(a, st, nil, nil)
}

// NewFactoryWith is NewFactory with a configuration below those of files, and with
// transports by the address of the endpoint that they reach.
func NewFactoryWith(a *project.Project, st *store.Store, base []byte, transports map[string]http.RoundTripper) (*Factory, error) {
	places := a.ConfigPlaces()
	places.Base = base
	conf, err := config.Load(places)
	if err != nil {
		return nil, err
	}
	p := NewEndpoints(conf)
	p.transports = transports
	return &Factory{
		Project: a, Store: st, Conf: conf, Models: Models{conf, p}, Prompts: Templates{conf, st},
		Datasets: Datasets{Store: st, facts: make(map[eval.DatasetName]datasetFacts)},
		Evidence: Evidence{st}, runs: runs{st}, base: base,
	}, nil
}

// LogGrowing logs what a growing queue could not enrol.
func (l *Factory) LogGrowing(err error) {
	if err != nil {
		l.Log.Error("grow queue", "err", err)
	}
}
