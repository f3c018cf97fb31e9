package config

import (
	"errors"
	"net/url"
	"strings"
)

// Cluster is where workers meet runs, where others run the server.
type Cluster struct {
	URL   string `toml:"url"`   // of one server, or of several behind commas
	Creds string `toml:"creds"` // the file that holds them
	CA    string `toml:"ca"`    // the file of whom to trust; "": as this machine does
}

// FindCluster finds the cluster that is configured, unless the project's own file alone
// names it and nobody has said that this is well.
func FindCluster(c *Config) (cluster Cluster, err error) {
	at := func(field string) confKey { return confKey{section: secWorkers, field: field} }
	c.settings.fillStruct(&cluster, at)
	if cluster.URL == "" {
		return cluster, errors.New(`no cluster is configured: write url = "tls://HOST:4222" under [workers]`)
	}
	if s, ok := findClusterSending(c); ok {
		err = c.trust.newUntrustedError(s, c, at("url"), "workers.url", "")
	}
	return cluster, err
}

// findClusterSending finds what the project's own file has sent to a cluster.
func findClusterSending(c *Config) (Sending, bool) {
	one, ok := c.settings[confKey{section: secWorkers, field: "url"}]
	if !ok || c.own == nil || one.origin.Source != FromFile || one.origin.Name != c.project {
		return Sending{}, false
	}
	return Sending{BaseURL: one.value.(string)}, valueOf[any](c.own.settings, one.key) != one.value
}

func checkClusterURL(s string) (any, error) {
	for one := range strings.SplitSeq(s, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "tls" && u.Scheme != "nats" {
			return nil, errors.New(`wants a URL such as "tls://nats.example.org:4222", or several behind commas, without a password`)
		}
	}
	return s, nil
}
