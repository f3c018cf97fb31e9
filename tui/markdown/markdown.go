package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"concord/tui/widget"
)

// Parse reads a text as models write it: CommonMark with tables and struck text, in which the end of a
// line is kept, since models mean it. What is nested deeper than anybody reads is laid out as it was
// written: the parser's time grows with the square of the depth.
func Parse(s string) *Doc {
	if countNesting(s) > mostNested {
		return ParsePlain(s)
	}
	source := []byte(s)
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	r := treeReader{source: source}
	r.readChildren(md.Parser().Parse(text.NewReader(source)), false)
	return &r.doc
}

// mostNested is how deep quotations and lists may stand in each other.
const mostNested = 100

// countNesting counts how many marks of quotations and lists a line begins with at most.
func countNesting(s string) int {
	most, n, start := 0, 0, true
	for i, c := range []byte(s) {
		switch {
		case c == '\n':
			n, start = 0, true
		case !start || c == ' ' || c == '\t' || c >= '0' && c <= '9':
		case c == '>', strings.IndexByte("-+*.)", c) >= 0 && i+1 < len(s) && s[i+1] == ' ':
			n++
			most = max(most, n)
		default:
			start = false
		}
	}
	return most
}

// deepest is how many cells of marks may stand before a line: what is nested deeper is set at that depth.
const deepest = 16

// treeReader makes a Doc of a tree of markdown.
type treeReader struct {
	docWriter
	source []byte
	before []margin // outermost first
	air    bool     // the next block has an empty line before it
}

// margin is what stands before the lines of a list's item or a quotation.
type margin struct {
	first, rest string
	used        bool
}

// readChildren reads the blocks in a block. In a tight list they follow each other without an empty line.
func (r *treeReader) readChildren(n ast.Node, tight bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() {
			r.air = !tight
		}
		r.readNode(c, tight)
	}
}

func (r *treeReader) readNode(n ast.Node, tight bool) {
	switch n := n.(type) {
	case *ast.Heading:
		r.addBlockInMargins(func() {
			r.addText(strings.Repeat("#", n.Level)+" ", aside)
			r.readInline(n, bold)
		})
	case *ast.Paragraph, *ast.TextBlock:
		r.addBlockInMargins(func() { r.readInline(n, 0) })
	case *ast.List:
		r.readList(n)
	case *ast.Blockquote:
		r.readInMargin(margin{first: "│ ", rest: "│ "}, func() { r.readChildren(n, false) })
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		r.readVerbatim(n)
	case *ast.ThematicBreak:
		r.addBlockInMargins(func() {})
		r.doc.blocks[len(r.doc.blocks)-1].rule = true
	case *east.Table:
		r.readTable(n)
	default:
		r.readChildren(n, tight)
	}
}

// addBlockInMargins adds a block behind the margins that it stands in.
func (r *treeReader) addBlockInMargins(write func()) {
	b := block{air: r.air}
	r.air = false
	for i := range r.before {
		m := &r.before[i]
		if widget.TextWidth(b.rest) < deepest {
			if m.used {
				b.head += m.rest
			} else {
				b.head += m.first
			}
			b.rest += m.rest
		}
		m.used = true
	}
	r.addBlock(b, write)
}

func (r *treeReader) readInMargin(m margin, read func()) {
	r.before = append(r.before, m)
	read()
	r.before = r.before[:len(r.before)-1]
}

func (r *treeReader) readList(n *ast.List) {
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() {
			r.air = !n.IsTight
		}
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		r.readInMargin(margin{first: mark, rest: strings.Repeat(" ", widget.TextWidth(mark))}, func() { r.readChildren(c, n.IsTight) })
	}
}

// readVerbatim keeps the lines of code, and of HTML, as they are.
func (r *treeReader) readVerbatim(n ast.Node) {
	lines := n.Lines()
	r.readInMargin(margin{first: "  ", rest: "  "}, func() {
		for i := range lines.Len() {
			seg := lines.At(i)
			r.addBlockInMargins(func() { r.addText(strings.TrimRight(string(seg.Value(r.source)), "\r\n"), code) })
		}
		if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
			r.addBlockInMargins(func() { r.addText(strings.TrimRight(string(h.ClosureLine.Value(r.source)), "\r\n"), code) })
		}
	})
}

// readInline adds the words of a block.
func (r *treeReader) readInline(n ast.Node, st style) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.readSpan(c, st)
	}
}

func (r *treeReader) readSpan(n ast.Node, st style) {
	switch n := n.(type) {
	case *ast.Text:
		r.readText(n, st)
	case *ast.String:
		r.addText(string(n.Value), st)
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				r.addText(strings.ReplaceAll(string(t.Segment.Value(r.source)), "\n", " "), st|code)
			}
		}
	case *ast.Emphasis:
		if n.Level > 1 {
			r.readInline(n, st|bold)
		} else {
			r.readInline(n, st|italic)
		}
	case *east.Strikethrough: // what is struck out means the opposite: never by style alone
		r.addText("~~", st|aside)
		r.readInline(n, st|struck)
		r.addText("~~", st|aside)
	case *ast.Link:
		from := len(r.doc.words)
		r.readInline(n, st)
		r.addLinkTarget(string(n.Destination), from)
	case *ast.Image:
		r.addText("[image] ", aside)
		from := len(r.doc.words)
		r.readInline(n, st)
		r.addLinkTarget(string(n.Destination), from)
	case *ast.AutoLink:
		r.addText(string(n.Label(r.source)), st)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			r.readLines(string(seg.Value(r.source)), st|code)
		}
	default:
		r.readInline(n, st)
	}
}

// readText adds a text with its references and escapes resolved.
func (r *treeReader) readText(n *ast.Text, st style) {
	s := n.Segment.Value(r.source)
	if !n.IsRaw() {
		s = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(s)))
	}
	r.readLines(string(s), st)
	if n.SoftLineBreak() || n.HardLineBreak() {
		r.breakLine()
	}
}

func (r *treeReader) readLines(s string, st style) {
	for i, l := range strings.Split(s, "\n") {
		if i > 0 {
			r.breakLine()
		}
		r.addText(l, st)
	}
}

// addLinkTarget says where a link leads, unless its text does: the words from from on.
func (r *treeReader) addLinkTarget(to string, from int) {
	var b strings.Builder
	for _, w := range r.doc.words[from:] {
		b.WriteString(w.text)
	}
	if to != "" && b.String() != widget.CleanLine(to) {
		r.addText(" <"+strings.ReplaceAll(to, "\n", " ")+">", aside)
	}
}

func (r *treeReader) readTable(n *east.Table) {
	var b block
	for _, a := range n.Alignments {
		b.right = append(b.right, a == east.AlignRight)
	}
	r.addBlockInMargins(func() {
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			_, head := row.(*east.TableHeader)
			var cells []span
			for c := row.FirstChild(); c != nil; c = c.NextSibling() {
				var st style
				if head {
					st = bold
				}
				r.gap, r.end = "", false
				from := len(r.doc.words)
				r.readInline(c, st)
				cells = append(cells, span{from, len(r.doc.words)})
			}
			b.rows = append(b.rows, cells)
		}
	})
	last := &r.doc.blocks[len(r.doc.blocks)-1]
	last.rows, last.right = b.rows, b.right
}
