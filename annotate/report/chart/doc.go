// Package chart lays figures out as drawings of rectangles, lines and texts, which a page
// writes as SVG. It knows numbers, names and where they go, and refuses to know what they mean,
// colours and markup: a shape names its class, and whoever writes it escapes its texts.
//
// Its one invariant: every shape lies within its drawing, whatever the numbers are.
package chart
