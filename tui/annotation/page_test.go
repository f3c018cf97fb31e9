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
	p := newPages[int]()
	for i := range 20 {
		p.put(i, entry[int]{page: &Page{}, body: &i})
	}
	p.use(3)
	p.trim([]int{0, 1})
	for _, i := range []int{0, 1, 3, 19} {
		if p.get(i).page == nil {
			t.Errorf("item %d is gone", i)
		}
	}
	if p.get(5).page != nil || len(p.byIndex) != kept {
		t.Errorf("%d items are kept", len(p.byIndex))
	}
}

func TestWhatCouldNotBeReadIsForgotten(t *testing.T) {
	p := newPages[int]()
	p.put(1, entry[int]{page: &Page{Err: errors.New("corrupt")}})
	p.put(2, entry[int]{page: &Page{}})
	p.retry(1)
	p.retry(2)
	if p.get(1).page != nil || p.get(2).page == nil || len(p.order) != 1 {
		t.Errorf("kept %v", p.order)
	}
}
