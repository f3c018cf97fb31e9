package annotation

import "slices"

// Why something cannot be done now; "" when it can.

// NoSession is why nothing can be done in the queue yet.
func (s *Sitting[B]) NoSession() string {
	if s.Session == nil {
		return "the queue is being opened"
	}
	return ""
}

// NoFront is why nothing can be done to the item in front.
func (s *Sitting[B]) NoFront() string {
	if s.Front() < 0 {
		return "no item is in front"
	}
	return ""
}

// NoItem is why the item in front cannot be answered.
func (s *Sitting[B]) NoItem() string {
	if why := s.NoFront(); why != "" {
		return why
	}
	switch pg := s.Page(); {
	case pg == nil:
		return "the item is being read"
	case pg.Err != nil:
		return "the item cannot be read"
	}
	return ""
}

// NoUndo is why there is nothing to undo.
func (s *Sitting[B]) NoUndo() string {
	if s.Session == nil || !s.Session.CanUndo() {
		return "nothing to undo"
	}
	return ""
}

// NoRedo is why there is nothing to do again.
func (s *Sitting[B]) NoRedo() string {
	if s.Session == nil || !s.Session.CanRedo() {
		return "nothing to redo"
	}
	return ""
}

// NoFailure is why there is nothing to save again.
func (s *Sitting[B]) NoFailure() string {
	// Of the journal itself: its news may be on their way.
	if s.deps.Journal.State().Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}

// NoReveal is why what machines made of the item is not shown.
func (s *Sitting[B]) NoReveal(what string) string {
	if why := s.NoItem(); why != "" {
		return why
	}
	if _, done := s.Own(); !done {
		return what + " are shown after your own answer"
	}
	return ""
}

// NoPicture is why there is no picture to look at.
func (s *Sitting[B]) NoPicture() string {
	if why := s.NoItem(); why != "" {
		return why
	}
	all := s.Page().Pictures
	switch {
	case len(all) == 0:
		return "the item has no picture"
	case !slices.ContainsFunc(all, func(p Picture) bool { return missing(&p) != noPicture }):
		return "the project does not hold the item's picture"
	}
	return ""
}

// NotFull is why the keys of a picture that fills the screen mean nothing.
func (s *Sitting[B]) NotFull() string {
	if s.Mode != Zooming {
		return s.Keyed("{z} shows the picture on the whole screen first")
	}
	return ""
}

// NotZoomed is why there is nothing to move or to go back to.
func (s *Sitting[B]) NotZoomed() string {
	if s.viewer.Lens().Whole() {
		return s.Keyed("the whole picture is shown; {+} zooms in")
	}
	return ""
}

// NoPictures is why there is no other picture.
func (s *Sitting[B]) NoPictures() string {
	if why := s.NoPicture(); why != "" {
		return why
	}
	if len(s.Page().Pictures) == 1 {
		return "the item has one picture only"
	}
	return ""
}

// NoPrevious is why there is no way back.
func (s *Sitting[B]) NoPrevious() string {
	if s.Session == nil || s.Session.At() == 0 {
		return "this is the first item"
	}
	return ""
}

// NoNext is why there is no way on.
func (s *Sitting[B]) NoNext() string {
	if s.Session == nil || s.Session.At() >= s.Session.Len() {
		return "this is the end of the queue"
	}
	return ""
}

// NoOpen is why there is no open item to go to.
func (s *Sitting[B]) NoOpen() string {
	if s.Session == nil || s.Session.Open() == 0 {
		return "no item is open"
	}
	return ""
}
