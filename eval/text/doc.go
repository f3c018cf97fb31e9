// Package text is what becomes of text from outside (models, files, people, endpoints) where it is
// shown or written: one cleaner a sink. A cleaner changes what the sink would interpret and nothing
// else, and its result is for that sink alone. Facts are stored as they came.
package text
