package chart

import (
	"fmt"
	"html"
	"strings"
)

// colours are those of the series, which the colour-blind tell apart, too (Okabe and Ito).
var colours = [Series]string{"0072B2", "E69F00", "009E73", "CC79A7", "56B4E9", "D55E00", "B8A800", "8A8F98"}

const (
	titleRoom = 24 // of a title, or a legend
	swatch    = 10 // of a series in the legend
	hundred   = 100
)

// joinDrawings sets drawings below each other, each under its title and its legend.
func joinDrawings(all []Drawing) (out Drawing) {
	for i := range all {
		d := &all[i]
		y := float64(out.Height)
		out.Texts = append(out.Texts, Text{X: 4, Y: y + 16, Anchor: "start", Strong: true, Text: d.Title})
		y += titleRoom
		x := 4.0
		for series, name := range d.Legend {
			out.Rects = append(out.Rects, Rect{X: x, Y: y, W: swatch, H: swatch, Series: series, Opacity: 1})
			out.Texts = append(out.Texts, Text{X: x + swatch + 4, Y: y + swatch - 1, Anchor: "start", Text: name})
			x += float64(letter*(len([]rune(name))+4) + swatch)
		}
		if len(d.Legend) > 0 {
			y += titleRoom
		}
		for _, r := range d.Rects {
			r.Y += y
			out.Rects = append(out.Rects, r)
		}
		for _, l := range d.Lines {
			l.Y1, l.Y2 = l.Y1+y, l.Y2+y
			out.Lines = append(out.Lines, l)
		}
		for _, t := range d.Texts {
			t.Y += y
			out.Texts = append(out.Texts, t)
		}
		out.Width, out.Height = max(out.Width, d.Width), int(y)+d.Height+top
	}
	return out
}

// WriteSVG writes drawings as one file of SVG, below each other; visible makes what is in a
// text from elsewhere visible.
func WriteSVG(all []Drawing, visible func(string) string) []byte {
	d := joinDrawings(all)
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %[2]d\" font-family=\"sans-serif\" font-size=\"12\">\n", d.Width, d.Height)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", d.Width, d.Height)
	d.eachShape(func(r *Rect) {
		fmt.Fprintf(&b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%s\" fill-opacity=\"%.2f\"/>\n", r.X, r.Y, r.W, r.H, colours[r.Series%Series], r.Opacity)
	}, func(l *Line) {
		stroke, wide := "#c8c8c8", 1.0
		if l.Interval {
			stroke, wide = "#202020", 1.5
		}
		fmt.Fprintf(&b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n", l.X1, l.Y1, l.X2, l.Y2, stroke, wide)
	})
	for _, t := range d.Texts {
		weight := ""
		if t.Strong {
			weight = " font-weight=\"bold\""
		}
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", t.X, t.Y, t.Anchor, weight, html.EscapeString(visible(t.Text)))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// WritePGF writes drawings as pictures of TikZ that are as wide as the text they are put
// into, so that pages may end between them; escape writes a text for LaTeX.
func WritePGF(all []Drawing, escape func(string) string) []byte {
	var b strings.Builder
	b.WriteString("% \\usepackage{tikz} and \\input this file; texts beyond Latin letters take xelatex and a font that has them\n")
	for i, c := range colours {
		fmt.Fprintf(&b, "\\definecolor{concord%d}{HTML}{%s}%%\n", i, c)
	}
	for i := range all {
		writeTikZ(&b, joinDrawings(all[i:i+1]), escape)
	}
	return []byte(b.String())
}

// The room on a page of LaTeX's article, in points.
const textWidth, textHeight = 345, 550

func writeTikZ(b *strings.Builder, d Drawing, escape func(string) string) {
	if high := textWidth * d.Height / max(d.Width, 1); high > textHeight {
		fmt.Fprintf(b, "%% About %d points high, of the %d of a page of article: of fewer runs or a higher level (--run, --level) it is lower\n", high, textHeight)
	}
	unit := hundred / float64(max(d.Width, 1)) // TeX knows five digits: single pixels would add up to points
	fmt.Fprintf(b, "\\noindent\\begin{tikzpicture}[x=%.5f\\linewidth,y=-%.5[1]f\\linewidth,font=\\fontsize{6}{7}\\selectfont]\n", unit)
	at := func(x, y float64) string { return fmt.Sprintf("(%.3f,%.3f)", x/hundred, y/hundred) }
	fmt.Fprintf(b, "\\path[use as bounding box] (0,0) rectangle %s;\n", at(float64(d.Width), float64(d.Height)))
	d.eachShape(func(r *Rect) {
		fmt.Fprintf(b, "\\fill[concord%d,opacity=%.2f] %s rectangle %s;\n", r.Series%Series, r.Opacity, at(r.X, r.Y), at(r.X+r.W, r.Y+r.H))
	}, func(l *Line) {
		style := "black!25,line width=0.3pt"
		if l.Interval {
			style = "black,line width=0.6pt"
		}
		fmt.Fprintf(b, "\\draw[%s] %s -- %s;\n", style, at(l.X1, l.Y1), at(l.X2, l.Y2))
	})
	for _, t := range d.Texts {
		anchor := map[string]string{"start": "base west", "middle": "base", "end": "base east"}[t.Anchor]
		text := escape(t.Text)
		if t.Strong {
			text = "\\textbf{" + text + "}"
		}
		fmt.Fprintf(b, "\\node[anchor=%s,inner sep=0] at %s {%s};\n", anchor, at(t.X, t.Y), text)
	}
	b.WriteString("\\end{tikzpicture}\\par\n")
}

// eachShape gives the scale, the rectangles, and above them the intervals.
func (d *Drawing) eachShape(rect func(*Rect), line func(*Line)) {
	for i := range d.Lines {
		if !d.Lines[i].Interval {
			line(&d.Lines[i])
		}
	}
	for i := range d.Rects {
		rect(&d.Rects[i])
	}
	for i := range d.Lines {
		if d.Lines[i].Interval {
			line(&d.Lines[i])
		}
	}
}
