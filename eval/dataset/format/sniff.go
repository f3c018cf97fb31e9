package format

import "bytes"

// The bytes that binary containers begin with.
const (
	zipMagic     = "PK\x03\x04"
	parquetMagic = "PAR1" // and ends with
)

// Text is the beginning of a file without a byte order mark and white space.
func Text(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// Sniff tells the container of a file by its beginning, and where that leaves
// it open by the file's extension (lower case, with the dot), and says why.
// It gives "" for none.
func Sniff(head []byte, ext string) (kind, reason string) {
	switch {
	case bytes.HasPrefix(head, []byte(zipMagic)):
		return XLSX, "it is a zip"
	case bytes.HasPrefix(head, []byte(parquetMagic)):
		return Parquet, "it begins with " + parquetMagic
	}
	text := Text(head)
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case len(text) == 0 && ext == "":
		return "", "it is empty"
	case bytes.HasPrefix(text, []byte("[")):
		return JSON, "it begins with a list"
	case bytes.Equal(bytes.TrimSpace(line), []byte("{")):
		return JSON, "it begins with an object over several lines"
	case bytes.HasPrefix(text, []byte("{")):
		return JSONL, "its first line begins with an object"
	case ext == ".csv" && !bytes.Contains(line, []byte("\t")):
		return CSV, "it is called .csv, and its first line has no tab"
	case bytes.Contains(line, []byte("\t")):
		return TSV, "its first line has tabs"
	case ext == ".tsv":
		return TSV, "it is called .tsv"
	case bytes.Contains(line, []byte(",")):
		return CSV, "its first line has commas"
	}
	return "", "its first line has neither tabs nor commas"
}
