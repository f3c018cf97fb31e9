package term

import (
	"bytes"
	"image"
	"image/color"
	"strconv"
	"strings"
)

// Replies are what a terminal says of itself when it is asked; the zero value
// of each is that it did not say. They are untrusted text.
type Replies struct {
	Version    string      // XTVERSION: name and version in the terminal's own form
	Cell       image.Point // CSI 16 t: a cell's width and height in pixels
	Area       image.Point // CSI 14 t: the text area's, in pixels
	Background color.Color // OSC 11; nil when not said
	Kitty      bool        // the kitty graphics query was answered with OK
	Attributes []int       // DA1, which every terminal answers: the last one
	Complete   bool        // DA1 came
}

// longest is how much of a reply is looked at.
const longest = 256

// Read reads the replies among the bytes that came from a terminal, in
// whatever order and however broken. Typing among them is left out.
func Read(in []byte) Replies {
	var r Replies
	for {
		at := bytes.IndexByte(in, esc)
		if at < 0 || at+2 > len(in) {
			return r
		}
		kind, rest := in[at+1], in[at+2:]
		in = rest
		switch kind {
		case '[':
			if end := bytes.IndexFunc(rest, func(c rune) bool { return c < 0x20 || c >= 0x40 }); end >= 0 && end <= longest {
				r.control(string(rest[:end]), rest[end])
			}
		case ']', '_', 'P':
			if end := bytes.IndexAny(rest, "\x1b\x07"); end >= 0 && end <= longest {
				r.text(kind, string(rest[:end]))
			}
		}
	}
}

// control takes CSI params final.
func (r *Replies) control(params string, final byte) {
	switch {
	case final == 'c' && strings.HasPrefix(params, "?"):
		r.Attributes, r.Complete = numbers(params[1:]), true
	case final == 't':
		n := numbers(params)
		if len(n) != 3 || n[1] <= 0 || n[2] <= 0 {
			return
		}
		switch size := image.Pt(n[2], n[1]); n[0] {
		case 6:
			r.Cell = size
		case 4:
			r.Area = size
		}
	}
}

// text takes an OSC, APC or DCS.
func (r *Replies) text(kind byte, s string) {
	switch {
	case kind == ']' && strings.HasPrefix(s, "11;"):
		if c, ok := colour(s[3:]); ok {
			r.Background = c
		}
	case kind == '_' && strings.HasPrefix(s, "G"):
		keys, status, _ := strings.Cut(s[1:], ";")
		r.Kitty = r.Kitty || status == "OK" && keys == "i="+strconv.Itoa(queryID)
	case kind == 'P' && strings.HasPrefix(s, ">|"):
		r.Version = printable(s[2:])
	}
}

// numbers are parameters that are divided by semicolons; nil when one is none.
func numbers(s string) []int {
	var out []int
	for f := range strings.SplitSeq(s, ";") {
		n, err := strconv.ParseUint(f, 10, 16)
		if err != nil {
			return nil
		}
		out = append(out, int(n))
	}
	return out
}

// colour reads X11's rgb:R/G/B with 1 to 4 hexadecimal digits each.
func colour(s string) (color.Color, bool) {
	digits, ok := strings.CutPrefix(s, "rgb:")
	if !ok {
		digits, ok = strings.CutPrefix(s, "rgba:")
	}
	parts := strings.Split(digits, "/")
	if !ok || len(parts) < 3 {
		return nil, false
	}
	var c [3]uint16
	for i := range c {
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil || len(parts[i]) > 4 {
			return nil, false
		}
		c[i] = uint16(n * 0xffff / (1<<(4*len(parts[i])) - 1))
	}
	return color.RGBA64{R: c[0], G: c[1], B: c[2], A: 0xffff}, true
}

// printable is text less what is not a printable ASCII character.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, s)
}
