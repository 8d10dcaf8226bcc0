package wide

// SetLog1pSeries is setLog1pSeries, for tests.
func (z *Float) SetLog1pSeries(x *Float, n int) { z.setLog1pSeries(x, n) }

// SetLog1pNear is setLog1pNear, for tests.
func (z *Float) SetLog1pNear(x *Float, n int) { z.setLog1pNear(x, n) }

// Stirling is stirling, for tests.
var Stirling = &stirling

// StirlingTerms is stirlingTerms, for tests.
func StirlingTerms(exp, w int) int { return stirlingTerms(exp, w) }
