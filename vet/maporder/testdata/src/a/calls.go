package a

type places struct{ v []float64 }

func (a *places) addAt(i int, x float64) { a.v[i] += x }

type item struct {
	group int
	x     float64
}

func plus(p *float64, x float64) { *p += x }

func (a *places) first(x float64) { plus(&a.v[0], x) }

// byCalls adds by functions whose arguments choose the place.
func byCalls(m map[int]float64, items map[string]item, index map[string]int) (s float64) {
	a := &places{make([]float64, 10)}
	add := func(p *float64, x float64) { *p += x }
	first := a.first
	var own = func(i int, x float64) { a.v[i] += x }
	for k, v := range m {
		a.addAt(0, v)   // want `a.addAt\(0, v\) adds up in the order of the map m`
		a.addAt(k%4, v) // want `adds up in the order of the map m`
		a.addAt(k, v)
		own(k, v)
		add(&s, v)            // want `add\(&s, v\) adds up`
		(*places).first(a, v) // want `adds up`
		first(v)              // want `first\(v\) adds up`
		add(&a.v[k], v)
		t := 0.0
		add(&t, v)
	}
	for name, it := range items {
		a.addAt(it.group, it.x) // want `adds up`
		a.addAt(index[name], it.x)
	}
	return s
}
