package annotation

import (
	"errors"
	"io"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"concord/tui/widget"
)

func plain() *widget.Theme { return widget.NewTheme(lipgloss.NewRenderer(io.Discard)) }

func TestWantedItemsAreKept(t *testing.T) {
	p := newPageCache[int]()
	for i := range 20 {
		p.putPage(i, pageEntry[int]{page: &Page{}, body: &i})
	}
	p.getAndMarkUsed(3)
	p.trimPages([]int{0, 1})
	for _, i := range []int{0, 1, 3, 19} {
		if p.getPage(i).page == nil {
			t.Errorf("item %d is gone", i)
		}
	}
	if p.getPage(5).page != nil || len(p.byIndex) != kept {
		t.Errorf("%d items are kept", len(p.byIndex))
	}
}

func TestWhatCouldNotBeReadIsForgotten(t *testing.T) {
	p := newPageCache[int]()
	p.putPage(1, pageEntry[int]{page: &Page{Err: errors.New("corrupt")}})
	p.putPage(2, pageEntry[int]{page: &Page{}})
	p.dropFailedPage(1)
	p.dropFailedPage(2)
	if p.getPage(1).page != nil || p.getPage(2).page == nil || len(p.order) != 1 {
		t.Errorf("kept %v", p.order)
	}
}
