package adjudicate

// size is that of the screen, in cells.
type size struct {
	width, height int
}

// listHeight is the height of the table with its titles.
func (z *size) listHeight() int { return max(1, z.height-headLines-1) }

// matrixHeight is how many rows of the matrix are shown at once.
func (z *size) matrixHeight() int { return max(1, z.height-headLines-6) }
