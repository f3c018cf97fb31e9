package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// The messages by which commands answer. of is the screen that asked.
type (
	opened struct {
		of      *Model
		session *annotate.Session
		known   int
		err     error
	}
	grown struct {
		of    *Model
		queue annotate.Queue
		items []annotate.QueueItem
		err   error
	}
	loaded struct {
		of    *Model
		index int
		page  *page
		shots map[shot][]string
	}
	drawn struct {
		of    *Model
		key   shot
		lines []string
	}
	indexed struct {
		of    *Model
		index int
		text  *widget.Text
	}
	refit struct{ of *Model }
	heard struct {
		of    *Model
		state annotate.JournalState
		saved uint32
		late  []annotate.Act
	}
)

// open reads the queue and begins a session.
func (m *Model) open() tea.Cmd {
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		o, err := d.Items.Open(ctx, d.Queue, d.Annotator)
		if err != nil {
			return opened{of: m, err: err}
		}
		o.Now = d.Now
		s, err := annotate.NewSession(o)
		return opened{of: m, session: s, known: len(o.Items), err: err}
	}
}

// since reads the items that were enrolled since.
func (m *Model) since() tea.Cmd {
	m.asking, m.again = true, false
	ctx, d, from := m.ctx, m.deps, m.known
	return func() tea.Msg {
		q, items, err := d.Items.Since(ctx, d.Queue, from)
		return grown{of: m, queue: q, items: items, err: err}
	}
}

// listen waits for the journal to have news.
func (m *Model) listen() tea.Cmd {
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		select {
		case <-d.Journal.Changed():
			return heard{
				of: m, saved: d.Journal.Saved(d.Queue, d.Annotator), state: d.Journal.State(),
				late: d.Journal.Late(d.Queue, d.Annotator),
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// resized waits for another size.
func (m *Model) resized() tea.Cmd {
	ctx, sized := m.ctx, m.sized
	return func() tea.Msg {
		select {
		case <-sized:
			return refit{m}
		case <-ctx.Done():
			return nil
		}
	}
}

// prepare fetches the items that are likely to be in front soon and draws
// their pictures, unless they are at hand or on their way.
func (m *Model) prepare() tea.Cmd {
	if m.session == nil || m.width == 0 {
		return nil
	}
	var cmds []tea.Cmd
	for _, index := range m.session.Ahead(ahead) {
		switch pg := m.pages.use(index); {
		case pg == nil && !m.pages.coming[index]:
			m.pages.coming[index] = true
			cmds = append(cmds, m.load(index))
		case pg != nil:
			cmds = append(cmds, m.fit(index, pg))
		}
	}
	return tea.Batch(cmds...)
}

// small is up to which size an answer is laid out on the spot: it takes under
// a millisecond.
const small = 32 << 10

// fit makes a page ready for the present size.
func (m *Model) fit(index int, pg *page) tea.Cmd {
	if pg.err != nil {
		return nil
	}
	g := m.geometry(pg)
	var cmds []tea.Cmd
	if pg.text == nil || pg.text.Width() != g.answer {
		pg.text = widget.NewText(pg.item.Prediction, g.answer)
	}
	if _, all := pg.text.Len(); !all {
		pg.text.Reach(m.height)
		if len(pg.item.Prediction) <= small {
			pg.text = pg.text.Whole()
		} else if _, all := pg.text.Len(); !all {
			text := pg.text.Clone()
			cmds = append(cmds, func() tea.Msg { return indexed{m, index, text.Whole()} })
		}
	}
	if index == m.front() {
		cmds = append(cmds, m.draw(pg))
	}
	return tea.Batch(cmds...)
}

// draw has the picture drawn that is shown now.
func (m *Model) draw(pg *page) tea.Cmd {
	pic, key, ok := m.wanted(pg)
	if !ok || m.shots.coming[key] {
		return nil
	}
	if _, done := m.shots.lines[key]; done {
		return nil
	}
	m.shots.coming[key] = true
	profile, dark := m.theme.Profile(), m.theme.Dark()
	return func() tea.Msg {
		return drawn{m, key, pic.image.Render(key.cols, key.rows, profile, dark)}
	}
}

// wanted is the picture to be shown of an item now, and where.
func (m *Model) wanted(pg *page) (picture, shot, bool) {
	if pg == nil || m.picture >= len(pg.pictures) || pg.pictures[m.picture].image == nil {
		return picture{}, shot{}, false
	}
	pic := pg.pictures[m.picture]
	g := m.geometry(pg)
	cols, rows := g.picture.cols, g.picture.rows
	if m.mode == zooming {
		cols, rows = m.width, m.height-1
	}
	return pic, pic.shot(cols, rows), cols > 0 && rows > 0
}

// load reads an item, decodes its pictures and draws the first, all beside
// the screen.
func (m *Model) load(index int) tea.Cmd {
	ctx, d := m.ctx, m.deps
	profile, dark := m.theme.Profile(), m.theme.Dark()
	size := sizes{width: m.width, height: m.height}
	return func() tea.Msg {
		out := loaded{of: m, index: index, page: read(ctx, d, index)}
		if pg := out.page; pg.err == nil {
			g := size.geometry(pg)
			pg.text = widget.NewText(pg.item.Prediction, g.answer).Whole()
			if len(pg.pictures) > 0 && pg.pictures[0].image != nil && g.picture.rows > 0 {
				key := pg.pictures[0].shot(g.picture.cols, g.picture.rows)
				out.shots = map[shot][]string{key: pg.pictures[0].image.Render(key.cols, key.rows, profile, dark)}
			}
		}
		return out
	}
}

// read gets one item with its pictures. What is wrong with a picture is said
// in its place.
func read(ctx context.Context, d Deps, index int) *page {
	it, err := d.Items.Item(ctx, d.Queue, index)
	if err != nil {
		return &page{err: err}
	}
	pg := &page{item: it, choices: choices(&it), blank: blank(it.Prediction)}
	for _, p := range it.Pictures {
		pic := picture{hash: p.Hash, name: p.Name}
		if p.Hash == "" {
			pic.err = errors.New("the file only referred to it")
		} else {
			pic.image, pic.err = decode(d.Pictures, p.Hash)
		}
		pg.pictures = append(pg.pictures, pic)
	}
	return pg
}

// blank is what to say of an answer that shows nothing; "" of one that does.
func blank(answer string) string {
	switch {
	case answer == "":
		return "(the answer is empty)"
	case strings.TrimSpace(answer) == "":
		return fmt.Sprintf("(the answer is %s of white space)", widget.Plural(len(answer), "byte"))
	}
	return ""
}

func decode(from Pictures, hash eval.PictureHash) (*widget.Picture, error) {
	data, err := from.Picture(hash)
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	return widget.Decode(data)
}

// take takes an item up that was read.
func (m *Model) take(msg loaded) tea.Cmd {
	m.pages.put(msg.index, msg.page)
	for k, lines := range msg.shots {
		m.shots.put(k, lines)
	}
	m.pages.trim(m.session.Ahead(ahead))
	if msg.index == m.front() {
		m.timer.start(m.deps.Now())
	}
	return m.prepare()
}
