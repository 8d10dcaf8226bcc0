package b

import (
	"angle"
	other "angle"
)

func sum(x, y, z angle.Angle) (angle.Angle, bool) {
	h := other.Hidden()
	h += h * h            // want `fuses`
	return x*y + z, h > 0 // want `write angle.Angle\(x \* y\)`
}

func shadowed(x, y, z angle.Angle) other.Angle {
	angle := z
	return x*y + angle // want `fuses`
}
