package endpoint

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.step == atServer {
		return widget.DrawScreen(m.width, m.height, m.drawServers)
	}
	return widget.DrawScreen(m.width, m.height, m.drawModels)
}

func (m *Model) wrapText(style func(...string) string, text string) []string {
	return form.WrapIndented(m.width, style, text)
}

func (m *Model) drawServers() []string {
	t := m.theme
	out := []string{t.DrawSection("Connect a model", "1 of 2: the server", true, m.width)}
	out = append(out, form.DrawFields(t, m.formFields(), m.at, m.width)...)
	out = append(out, "")
	switch {
	case m.err != nil:
		out = append(out, m.wrapText(t.Bad.Render, "✗ "+m.err.Error())...)
	case m.asking:
		out = append(out, m.wrapText(t.Accent.Render, "asking the server for its models…")...)
	default:
		out = append(out, m.wrapText(t.Faint.Render, hints[m.at])...)
	}
	out = append(out, "")
	out = append(out, m.wrapText(t.Faint.Render, "Listing models spends nothing. What you choose is written into concord.toml beside the project; no key ever is.")...)
	return t.AddLegendBelow(out, m.width, m.height)
}

// hints are what the fields are for.
var hints = [...]string{
	"Any server that speaks the OpenAI format: a vendor, vLLM, SGLang, Ollama, llama.cpp, LiteLLM. “other” is one of your own.",
	"The address that all calls begin with; it mostly ends in /v1.",
	"The NAME of the environment variable that holds the key, such as OPENAI_API_KEY, and never the key itself. Empty for a server that wants none.",
}

func (m *Model) drawModels() []string {
	t, s := m.theme, m.serverOfForm()
	out := []string{t.DrawSection("Connect a model", "2 of 2: models of "+widget.CleanLine(s.Name), true, m.width)}
	if m.unasked != nil {
		out = append(out, m.wrapText(t.Bad.Render, "✗ "+m.unasked.Error())...)
		out = append(out, "")
	}
	end := m.enterHintLines()
	if len(m.listed) == 0 {
		out = append(out, m.drawTypedName()...)
		return append(out, end...)
	}
	places, at := m.model.MatchingPlaces()
	room := max(2, m.height-len(out)-len(end))
	cursor := widget.Cursor{}
	cursor.MoveTo(at, len(places), room-1)
	out = append(append(out, t.DrawTable(widget.Table{
		Columns: []widget.Column{{Title: "", Width: 3}, {Title: m.formatModelCount(len(places)), Width: 24, Grow: 1, Name: true}},
		Rows:    len(places), Cursor: cursor, Focused: true,
		Row: func(i int) []string {
			name := m.listed[places[i]]
			sign := eval.Either(slices.Contains(m.chosen, name), t.Good.Render("[x]"), "[ ]")
			return []string{sign, widget.CleanLine(name)}
		},
	}, m.width, min(room, len(places)+1))...), end...)
	return t.AddLegendBelow(out, m.width, m.height)
}

func (m *Model) formatModelCount(n int) string {
	if f := m.model.Filter(); f != "" {
		return fmt.Sprintf("with “%s”: %d of %d", widget.CutWidth(f, 12), n, len(m.listed))
	}
	return widget.FormatPlural(n, "model")
}

// drawTypedName gives where a model's name is typed that no list has.
func (m *Model) drawTypedName() []string {
	t := m.theme
	text := eval.Either(m.unasked != nil, "esc corrects the server. To write it down all the same, type the name of a model that it serves; a variable that is not set has to be set in the shell that starts concord.",
		"The server lists no models. Type the name of the one that it serves:")
	out := m.wrapText(t.Text.Render, text)
	return append(append(out, ""), form.DrawFields(t, []form.Field{*m.nameLine()}, 0, m.width)...)
}

func (m *Model) enterHintLines() []string {
	t := m.theme
	style, text := t.Faint.Render, "space takes a model in, enter writes those that are in."
	switch models := m.chosenModels(); {
	case m.err != nil:
		style, text = t.Bad.Render, "✗ "+m.err.Error()
	case m.step == atWork:
		style, text = t.Accent.Render, "writing…"
	case len(models) > 0:
		style, text = t.Accent.Render, "enter writes "+widget.CleanLine(strings.Join(models, ", "))+" into concord.toml."
	case len(m.listed) == 0:
		return nil
	case m.model.Value() != "":
		text += " None is in yet: enter writes the one under the cursor."
	}
	return append([]string{""}, form.WrapThreeLines(m.width, style, text)...)
}
