package angle

type Angle float64

type hidden float64

func Hidden() hidden { return 0.5 }
