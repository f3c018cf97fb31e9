package config

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// sep joins the parts of a path; no TOML key holds it unescaped.
const sep = "\x00"

// linesOf finds the line of every table and key of a file that parses.
func linesOf(data []byte) map[string]int {
	lines := make(map[string]int)
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			noteValue(lines, &p, table, e)
		} else { // a table's or a list's header
			table = note(lines, &p, nil, e.Key())
		}
	}
	return lines
}

// noteValue notes a key and, in an inline table, the keys below it.
func noteValue(lines map[string]int, p *unstable.Parser, above []string, kv *unstable.Node) {
	at := note(lines, p, above, kv.Key())
	if v := kv.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			noteValue(lines, p, at, it.Node())
		}
	}
}

// note notes every part of a dotted key, where it is first seen.
func note(lines map[string]int, p *unstable.Parser, above []string, it unstable.Iterator) []string {
	at := above[:len(above):len(above)]
	for it.Next() {
		n := it.Node()
		at = append(at, string(n.Data))
		if path := strings.Join(at, sep); lines[path] == 0 {
			lines[path] = p.Shape(n.Raw).Start.Line
		}
	}
	return at
}
