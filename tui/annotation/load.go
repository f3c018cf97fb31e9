package annotation

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/widget"
)

// The messages by which commands answer. of is the session that asked.
type (
	opened[B any] struct {
		of      *QueueSession[B]
		session *session.Session
		known   int
		err     error
	}
	grown[B any] struct {
		of    *QueueSession[B]
		queue annotate.Queue
		items []annotate.QueueItem
		err   error
	}
	loaded[B any] struct {
		of    *QueueSession[B]
		index int
		at    pageEntry[B]
	}
	refit[B any] struct{ of *QueueSession[B] }
	heard[B any] struct {
		of    *QueueSession[B]
		state session.JournalState
		saved uint32
		late  []annotate.Act
	}
)

// OpenQueue reads the queue and begins a session.
func (s *QueueSession[B]) OpenQueue() tea.Cmd {
	ctx, d := s.ctx, s.deps
	return func() tea.Msg {
		o, err := d.Items.Open(ctx, d.Queue, d.Annotator)
		if err != nil {
			return opened[B]{of: s, err: err}
		}
		o.Now = d.Now
		session, err := session.New(o)
		if err == nil {
			context.AfterFunc(ctx, session.Close) // also when nobody takes it up any more
		}
		return opened[B]{of: s, session: session, known: len(o.Items), err: err}
	}
}

func (s *QueueSession[B]) readNewItems() tea.Cmd {
	s.asking, s.again = true, false
	ctx, d, from := s.ctx, s.deps, s.known
	return func() tea.Msg {
		q, items, err := d.Items.ItemsSince(ctx, d.Queue, from)
		return grown[B]{of: s, queue: q, items: items, err: err}
	}
}

func (s *QueueSession[B]) awaitJournalNews() tea.Cmd {
	ctx, d := s.ctx, s.deps
	return func() tea.Msg {
		select {
		case <-d.Journal.Changed():
			return heard[B]{
				of: s, saved: d.Journal.LastSaved(d.Queue, d.Annotator), state: d.Journal.State(),
				late: d.Journal.LateActs(d.Queue, d.Annotator),
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *QueueSession[B]) awaitResize() tea.Cmd {
	ctx, sized := s.ctx, s.sized
	return func() tea.Msg {
		select {
		case <-sized:
			return refit[B]{s}
		case <-ctx.Done():
			return nil
		}
	}
}

// ahead is how many items are kept at hand: the one in front and the next.
const ahead = 5

// PrefetchItems fetches the items that are likely to be in front soon and draws
// their pictures, unless they are at hand or on their way.
func (s *QueueSession[B]) PrefetchItems() tea.Cmd {
	if s.Session == nil || s.Width == 0 {
		return nil
	}
	s.setBodySize(s.Height)
	var cmds []tea.Cmd
	for _, index := range s.Session.Walk.UpcomingIndices(ahead) {
		switch at := s.pages.getAndMarkUsed(index); {
		case at.page == nil && !s.pages.coming[index]:
			s.pages.coming[index] = true
			cmds = append(cmds, s.loadItem(index))
		case at.body != nil:
			cmds = append(cmds, s.part.Fit(index, at.body))
			if index == s.FrontIndex() {
				cmds = append(cmds, s.Gallery.DrawFrontPicture())
			}
		}
	}
	return tea.Batch(cmds...)
}

// loadItem reads an item, decodes its pictures and draws the first, all beside the screen.
func (s *QueueSession[B]) loadItem(index int) tea.Cmd {
	ctx, d, lay := s.ctx, s.deps, s.part.Lay
	images, viewport := s.Theme.Images, s.Gallery.viewer.Viewport()
	width, height := s.Width, s.Height
	grace := eval.Either(s.FrontPage() == nil, 0, d.Grace) // 0: there is no frame to be painted first, and keys may wait
	return func() tea.Msg {
		if sleepUnlessDone(ctx, grace) != nil {
			return nil
		}
		if grace > 0 && d.Turns != nil {
			select {
			case d.Turns <- struct{}{}:
				defer func() { <-d.Turns }()
			case <-ctx.Done():
				return nil
			}
		}
		pg := readItemPage(ctx, d, index, images)
		out := loaded[B]{of: s, index: index, at: pageEntry[B]{page: pg}}
		if pg.Err != nil {
			return out
		}
		body, cols, rows := lay(pg, width, height)
		out.at.body = body
		if len(pg.Pictures) > 0 && pg.Pictures[0].Image != nil && rows > 0 {
			images.DrawView(pg.Pictures[0].Image, viewport, cols, rows)
		}
		return out
	}
}

// sleepUnlessDone lets a while pass, unless the session ends.
func sleepUnlessDone(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// readItemPage gets one item with its pictures. What is wrong with a picture is said in its place.
func readItemPage(ctx context.Context, d Deps, index int, images *widget.ImageRenderer) *Page {
	it, err := d.Items.Item(ctx, d.Queue, index)
	if err != nil {
		return &Page{Err: err}
	}
	pg := &Page{Item: it}
	pg.Pictures = append(pg.Pictures, eval.Map(it.Pictures, func(p eval.Picture) Picture { return ReadPicture(images, d.Pictures, p) })...)
	return pg
}

func (s *QueueSession[B]) handleLoaded(msg loaded[B]) tea.Cmd {
	s.pages.putPage(msg.index, msg.at)
	s.pages.trimPages(s.Session.Walk.UpcomingIndices(ahead))
	if msg.index == s.FrontIndex() {
		s.Work.timer.StartItem(s.deps.Now())
	}
	return s.PrefetchItems()
}

// Items is where a queue is read.
type Items interface {
	// Open gives what a session of an annotator in a queue starts from.
	Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error)
	// ItemsSince gives the queue as it is now and its items from an index on.
	ItemsSince(ctx context.Context, q annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error)
	// Item gives what a person may see of an item.
	Item(ctx context.Context, q annotate.QueueName, index int) (annotate.Item, error)
}

// Pictures gives a picture's bytes; eval.ErrNotFound for one that the project does not hold.
type Pictures interface {
	Picture(hash eval.PictureHash) ([]byte, error)
}

// Journal takes acts in order and says when they are durable; *annotate.Journal is one.
type Journal interface {
	Submit(a annotate.Act)
	RetryParked()
	State() session.JournalState
	LastSaved(q annotate.QueueName, who annotate.Annotator) uint32
	// SyncStream waits until the annotator's acts in the queue are durable.
	SyncStream(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error
	LateActs(q annotate.QueueName, who annotate.Annotator) []annotate.Act
	Changed() <-chan struct{}
}

var _ Journal = (*session.Journal)(nil)

// Deps is what a session is made of; all of it is needed but Now and Stay.
type Deps struct {
	Queue     annotate.QueueName
	Annotator annotate.Annotator
	Theme     *widget.Theme
	Items     Items
	Pictures  Pictures
	Journal   Journal
	Now       func() time.Time // nil is time.Now
	// Grace is how long items ahead wait before they are read, so that the one
	// that has just come to the front is painted first.
	Grace time.Duration
	// Turns, where it is not nil, has items ahead read one after the other over
	// all sessions that share it: what is in front of anybody goes before.
	Turns chan struct{}
	Stay  bool // at first, an answer stays in front
}
