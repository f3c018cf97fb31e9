package bound

// Budgets of one thing, in bytes where nothing else is said.
const (
	Cell     = 64 << 20      // a cell: a picture in base64 at most
	RowBytes = Cell + Cell/2 // a row, or an object
	Blank    = 16 << 20      // white space between two rows, or two objects
	Line     = 1 << 20       // a line of a text file without columns
	Rows     = 1 << 20       // rows of a file: as Excel has; each takes about 300 bytes while a file is read
	Values   = 4 << 20       // of a column of a parquet file, in one group of rows: lists have several in a row
	Columns  = 1 << 14       // columns of a table, members of an object: as a workbook has
	Depth    = 64            // elements within each other in the XML of a workbook
	Tag      = 64 << 10      // a tag with its attributes
	Results  = 64 << 20      // a file beside a log
	Text     = 1 << 20       // what people read: a prompt, a guideline, a worked example
	Source   = 16 << 20      // a file that is sent along to the process that holds the project
	Image    = 256 << 20     // an image, decoded
	Picture  = 64 << 20      // the file of an image
	Reply    = 16 << 20      // the body of a reply
	Refusal  = 64 << 10      // the body of an error
	Folder   = 1 << 20       // entries of a folder
)

// Budgets of a workbook.
const (
	SheetRows   = 1 << 20   // as Excel has
	SheetCell   = 16 << 20  // bytes of a cell's XML; Excel keeps 32,767 characters
	SheetCells  = 8 << 20   // with the empty ones before the last of each row
	SheetText   = 256 << 20 // of a sheet that is held in memory
	SharedTexts = 2 << 20   // texts that cells share
)

// Budgets of what is compressed: an archive may unpack to Unpacked in all, and
// to no more than Ratio times its own size beyond the first UnpackedFree bytes.
const (
	Unpacked     = 16 << 30
	UnpackedFree = 64 << 20
	Directories  = 16 << 20 // of an archive: the list of its entries; of a parquet file: its footer
	Ratio        = 200
)

// Budgets of the process.
var (
	// Images is how many bytes of decoded images there may be at a time.
	Images = NewPool(Image)
	// Replies is the same of bodies of replies that are large.
	Replies = NewPool(128 << 20)
)
