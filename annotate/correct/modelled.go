package correct

// modelled is the mean where people's word comes of a model of their errors: the
// variance of labels is that over resamples of the items, in each of which the
// model was fitted anew, and never less than that of exact ones.
func (s *Score) modelled(lambda []float64) spread {
	s.times = 0
	out := s.mean(lambda)
	if s.options.Resamples < 2 || out.people == 0 {
		return out
	}
	mean, squares := 0.0, 0.0
	for r := range s.options.Resamples {
		v := s.again(r, lambda)
		apart := v - mean
		mean += apart / float64(r+1)
		squares += apart * (v - mean)
	}
	width := s.options.High - s.options.Low
	s.times = max(1, squares/float64(s.options.Resamples-1)/(width*width)/out.people)
	return s.mean(lambda)
}

// again is the part of the mean that people's labels make, in one resample. A
// stratum that the resample has nothing of stays as it is.
func (s *Score) again(resample int, lambda []float64) float64 {
	all, out := s.size(), 0.0
	for i, st := range s.strata {
		if s.asRead[i] {
			continue
		}
		sum, n := 0.0, 0.0
		for _, it := range st.Labelled {
			people, times := it.People, int32(1)
			if it.Again != nil {
				people, times = it.Again(resample)
			}
			w := float64(times) * max(it.Weight, 1)
			sum, n = sum+w*(people-lambda[i]*it.Machine), n+w
		}
		m := &s.moments[i]
		value := m.said - lambda[i]*m.read
		if n > 0 {
			value = sum / n
		}
		out += m.size() / all * value
	}
	return out
}
