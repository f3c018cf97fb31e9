package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/lipgloss"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/prompt"
	"concord/tui/widget"
)

// health is what the doctor says about one thing.
type health uint8

// What a check finds, the best first.
const (
	healthUnset  health = iota
	HealthOK            // as it should be
	healthLook          // works, or may not: worth a look
	healthBroken        // does not work
)

var healthNames = [...]string{"", "ok", "look", "broken"}

// String is the word that people and scripts read.
func (h health) String() string { return healthNames[h] }

// MarshalText writes what String says.
func (h health) MarshalText() ([]byte, error) {
	if h == healthUnset {
		return nil, errors.New("write verdict: there is none")
	}
	return []byte(h.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (h *health) UnmarshalText(text []byte) (err error) {
	*h, err = eval.ParseEnum[health](healthNames[:], string(text), "verdict")
	return err
}

// finding is one row of the doctor's report.
type finding struct {
	Check   string `json:"check"`
	Verdict health `json:"verdict"`
	Finding string `json:"finding"`
	Advice  string `json:"advice"` // "" when there is nothing to do
}

// Findings are rows in the order in which they are told.
type Findings []finding

func (f *Findings) addOK(check, format string, args ...any) {
	*f = append(*f, finding{check, HealthOK, fmt.Sprintf(format, args...), ""})
}

func (f *Findings) addWarning(check, advice, format string, args ...any) {
	*f = append(*f, finding{check, healthLook, fmt.Sprintf(format, args...), advice})
}

func (f *Findings) addBroken(check, advice, format string, args ...any) {
	*f = append(*f, finding{check, healthBroken, fmt.Sprintf(format, args...), advice})
}

// CountWarningsAndBroken counts the rows of the worse verdicts.
func (f *Findings) CountWarningsAndBroken() (look, broken int) {
	of := func(h health) int { return eval.Count(*f, func(one finding) bool { return one.Verdict == h }) }
	return of(healthLook), of(healthBroken)
}

// HealthStyles are the colours of the verdicts, for a terminal.
func HealthStyles(out io.Writer) map[health]widget.CachedStyle {
	if cli.TerminalOf(out) == nil {
		return nil
	}
	t := widget.NewTheme(lipgloss.DefaultRenderer())
	return map[health]widget.CachedStyle{HealthOK: t.Good, healthLook: t.Warn, healthBroken: t.Bad}
}

const (
	verdictColumn = 8
	narrowest     = 40 // of the text column; below it lines are left to the terminal
)

// FormatText lays the rows out in three columns, the advice below its finding.
func (f *Findings) FormatText(width int, dye map[health]widget.CachedStyle) string {
	checks := eval.MaxOf(*f, func(one finding) int { return widget.TextWidth(cli.EscapeControls(one.Check)) })
	indent := verdictColumn + checks + 2
	room := eval.Either(width-indent >= narrowest, width-indent, 0)
	var b strings.Builder
	for _, one := range *f {
		word := fmt.Sprintf("%-*s", verdictColumn, one.Verdict)
		if style, ok := dye[one.Verdict]; ok {
			word = style.Render(word)
		}
		b.WriteString(word + widget.FitWidth(cli.EscapeControls(one.Check), checks) + "  ")
		b.WriteString(wrapIndented(one.Finding, room, indent, "") + "\n")
		if one.Advice != "" {
			b.WriteString(strings.Repeat(" ", indent) + wrapIndented(one.Advice, room, indent, "> ") + "\n")
		}
	}
	look, broken := f.CountWarningsAndBroken()
	switch {
	case broken > 0:
		fmt.Fprintf(&b, "\n%s broken, %d to look at\n", cli.FormatCountOf(broken, "thing is", "things are"), look)
	case look > 0:
		fmt.Fprintf(&b, "\nnothing is broken, %d to look at\n", look)
	default:
		b.WriteString("\nall is well\n")
	}
	return b.String()
}

// wrapIndented wraps a text into room cells; its further lines begin at indent.
func wrapIndented(s string, room, indent int, mark string) string {
	s = strings.Join(strings.Fields(cli.EscapeControls(s)), " ")
	if room == 0 {
		return mark + s
	}
	lines := eval.Map(widget.WrapText(s, room-len(mark)), func(l string) string { return strings.TrimRight(l, " ") })
	return mark + strings.Join(lines, "\n"+strings.Repeat(" ", indent+len(mark)))
}

// CheckConfig looks at the configuration; nil when it cannot be used.
func CheckConfig(a *project.Project, all *Findings) *config.Config {
	const check = "config"
	c, err := a.LoadConfig()
	var bad config.Problems
	switch {
	case errors.As(err, &bad):
		for _, p := range bad {
			advice := eval.Either(p.Origin.Source == config.Environment, "correct "+p.Origin.Name+" in the environment", "correct the line; concord config init FILE writes an example of every key")
			all.addBroken(check, advice, "%v", p)
		}
		return nil
	case err != nil:
		all.addBroken(check, "", "%v", err)
		return nil
	}
	found := 0
	for _, f := range c.Files() {
		if f.Found {
			found++
			all.addOK(check, "read %s", f.Path)
		}
	}
	if found == 0 {
		all.addOK(check, "no config file: defaults and the environment decide")
	}
	for _, m := range c.Models() {
		if _, err := c.Model(m.Name); err != nil {
			all.addBroken("model", "define the endpoint, or correct the model's endpoint", "%v", err)
		}
	}
	checkLanguageBases(c, all)
	if _, err := c.DefaultEndpoint(); err != nil && len(c.Endpoints()) > 0 {
		all.addWarning(check, "models without an entry of their own cannot be asked until it is set", "%v", err)
	}
	checkPromptFiles(c, all)
	return c
}

// checkLanguageBases looks for language bases that no run could be of.
func checkLanguageBases(c *config.Config, all *Findings) {
	models := c.Models()
	for _, m := range models {
		base := m.Card.LanguageBase
		if base == "" || slices.ContainsFunc(models, func(o config.Model) bool { return o.Name == base }) {
			continue
		}
		all.addWarning("model "+m.Name, "name a model of the config in language_base, or add one of that name; it is asked with --model "+base+" --modality base",
			"its language base %s is no model of the config", base)
	}
}

func checkPromptFiles(c *config.Config, all *Findings) {
	const check = "prompts"
	files := c.PromptFiles()
	names := slices.Sorted(maps.Keys(files))
	sound := 0
	for _, name := range names {
		template, _, _ := strings.Cut(name, config.OfJudge)
		if err := c.CheckPromptFileTrusted(name); err != nil {
			all.addBroken(check, "look at it, then say so: concord config trust", "%s: %v", name, err)
			continue
		}
		text, err := jobs.ReadPromptFile(files[name])
		if err != nil {
			all.addBroken(check, "correct the path: it is relative to the config file", "%s: %v", name, err)
			continue
		}
		if _, err := prompt.LoadSet(map[string]string{template: text}); err != nil {
			all.addBroken(check, "correct the template", "%s (%s): %v", name, files[name], err)
			continue
		}
		sound++
	}
	if sound > 0 {
		all.addOK(check, "%s of your own", cli.FormatCountOf(sound, "template", "templates"))
	}
}

// EndpointLimit is how long an endpoint may take to list its models.
const EndpointLimit = 8 * time.Second

// CheckEndpoints has every endpoint list its models, all at once.
func CheckEndpoints(ctx context.Context, c *config.Config, all *Findings) {
	endpoints := c.Endpoints()
	if len(endpoints) == 0 {
		all.addWarning("endpoint", "set OPENAI_API_KEY or OPENAI_BASE_URL, or define one: concord config init", "no endpoint is known: no model can be asked")
		return
	}
	p := jobs.NewEndpoints(c)
	rows := make([]Findings, len(endpoints))
	var wg sync.WaitGroup
	for i, e := range endpoints {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, EndpointLimit)
			defer cancel()
			checkEndpoint(ctx, p, e, &rows[i])
		})
	}
	wg.Wait()
	*all = append(*all, slices.Concat(rows...)...)
}

func checkEndpoint(ctx context.Context, p *jobs.Endpoints, e config.Endpoint, out *Findings) {
	check := "endpoint " + e.Name
	checkKeyUnencrypted(p.Config, e, check, out)
	where := describeAddressPlace(p.Config, e)
	client, err := p.FindEndpoint(e.Name)
	if err != nil {
		advice := "correct " + where
		switch {
		case errors.Is(err, config.ErrUntrusted):
			advice = "look at what it sends where, and trust it: concord config trust"
		case errors.Is(err, config.ErrPlainHTTP):
			advice = "use https or a tunnel, or write insecure = true where the network is trusted"
		case cli.IsConfigError(err) && e.KeyEnv != "":
			advice = "set the variable in the shell that starts concord: export " + e.KeyEnv + "=..."
		}
		out.addBroken(check, advice, "%v", err)
		return
	}
	start := time.Now()
	listed, err := client.ListModels(ctx)
	if err != nil && ctx.Err() != nil {
		out.addBroken(check, "start the server, or correct "+where, "no answer within %v", EndpointLimit)
		return
	}
	if err != nil {
		v, advice := AdviseOnEndpoint(e, where, err)
		*out = append(*out, finding{check, v, FormatEndpointError(e, err), advice})
		return
	}
	took := time.Since(start).Round(time.Millisecond)
	out.addOK(check, "%s lists %s in %v", e.BaseURL, cli.FormatCountOf(len(listed), "model", "models"), took)
	for _, m := range p.Config.Models() {
		if m.Endpoint.Name == e.Name && len(listed) > 0 && !slices.Contains(listed, m.Wire) {
			out.addWarning("model "+m.Name, "compare its model with the names that the endpoint lists: "+cli.JoinFirstNames(cli.SortNearestFirst(m.Wire, listed)),
				"endpoint %s does not list %s", e.Name, m.Wire)
		}
	}
}

// checkKeyUnencrypted looks at where a key would be sent.
func checkKeyUnencrypted(c *config.Config, e config.Endpoint, check string, out *Findings) {
	if e.KeyEnv == "" {
		return
	}
	if u, err := url.Parse(e.BaseURL); err == nil && u.Scheme == "http" && !isLocalHost(u.Hostname()) {
		if key, err := c.EndpointAPIKey(e); err == nil && key != "" {
			out.addWarning(check, "use https, or a tunnel", "the key in %s travels unencrypted to %s", e.KeyEnv, u.Host)
		}
	}
}

func isLocalHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate()) || strings.HasSuffix(host, ".localhost")
}

var version = regexp.MustCompile(`/v\d[^/]*(/|$)`)

// AdviseOnEndpoint is what an error of listing models comes to. Some servers chat and list nothing.
func AdviseOnEndpoint(e config.Endpoint, where string, err error) (health, string) {
	f := eval.FailureOfError(err)
	absent := f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed
	noList := f.Status == 0 && (f.Kind != eval.FailureTransient || f.Sign == eval.SignUnusable) // it answered, with something else
	switch {
	case (absent || noList) && !version.MatchString(e.BaseURL):
		return healthBroken, "a base URL mostly ends in /v1: try " + e.BaseURL + "/v1"
	case absent:
		return healthLook, "the server lists no models; it may chat all the same"
	case noList:
		return healthBroken, "what answers at " + e.BaseURL + " does not speak the format: correct " + where
	case f.Status == http.StatusUnauthorized && e.KeyEnv == "":
		return healthBroken, "the server wants a key: name its variable in api_key_env"
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		return healthBroken, "check the key in " + e.KeyEnv
	case f.Status == http.StatusTooManyRequests:
		return healthLook, "try again later"
	case f.Status == 0:
		return healthBroken, "start the server, or correct " + where
	}
	return healthBroken, "look into the server's own log"
}

// FormatEndpointError gives an error in the doctor's words: without the endpoint's name,
// and without the advice of concord eval to ask the doctor.
func FormatEndpointError(e config.Endpoint, err error) string {
	f := eval.FailureOfError(err)
	if f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed {
		return fmt.Sprintf("GET %s/models: HTTP status %d", e.BaseURL, f.Status)
	}
	return strings.TrimPrefix(f.Message, "endpoint "+strconv.Quote(e.Name)+": ")
}

// describeAddressPlace describes where an endpoint's address is set, with the address.
func describeAddressPlace(c *config.Config, e config.Endpoint) string {
	origin := c.EndpointOrigin(e, "base_url")
	name := eval.Either(origin.Source == config.Environment, origin.Name, "base_url")
	return name + " (" + e.BaseURL + ")"
}
