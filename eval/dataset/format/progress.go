package format

import "io"

// Watch wraps what is told how far the file has been read.
func (f *File) Watch(wrap func(watch func(read, total int64)) func(read, total int64)) {
	if f.watch != nil {
		f.watch = wrap(f.watch)
	}
}

// progress reports how far the import has come, as a share of the file's
// size over all readings. It never goes back, also when a reading is added.
func (f *File) progress(read int64) {
	if f.watch == nil {
		return
	}
	n := int64(max(f.reading, f.Readings))
	f.come = max(f.come, (int64(f.reading-1)*f.size+read)/n)
	f.watch(f.come, f.size)
}

// meter counts what is read of a file.
type meter struct {
	in   io.Reader
	file *File
	read int64
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.in.Read(b)
	m.read += int64(n)
	m.file.progress(m.read)
	return n, err
}

// meterAt counts the same where parts of the file are read by their place.
type meterAt struct {
	in io.ReaderAt
	*meter
}

func (m *meterAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.in.ReadAt(b, off)
	m.read += int64(n)
	m.file.progress(min(m.read, m.file.size))
	return n, err
}
