package widget

import "github.com/charmbracelet/bubbles/key"

// Room is how much of what stands around a pane is left to that: + gives the
// pane half of it, then all of it, then gives it back, and _ goes the other
// way around. The zero value leaves everything.
type Room uint8

// The rooms.
const (
	NormalRoom Room = iota
	HalfRoom        // what stands around the pane keeps half of its cells
	FullRoom        // it keeps none
	rooms
)

// Press takes one of the keys of RoomKeys.
func (r *Room) Press(key string) {
	by := Room(1)
	if key == "_" {
		by = rooms - 1
	}
	*r = (*r + by) % rooms
}

// Leaves is how many of n cells or lines are left to what stands around the
// pane.
func (r Room) Leaves(n int) int {
	switch r {
	case HalfRoom:
		return n / 2
	case FullRoom:
		return 0
	case NormalRoom, rooms:
	}
	return n
}

// RoomKeys are the keys of a room.
func RoomKeys() key.Binding { return Bind("+ _", "more room, less", "+", "_") }

// Room is the room of a screen's pane. It stays as it is as long as the theme,
// so from one visit of the screen to the next.
func (t *Theme) Room(screen string) *Room {
	if t.rooms[screen] == nil {
		t.rooms[screen] = new(Room)
	}
	return t.rooms[screen]
}
