package a

//lastbit:ignore fma // want `the comment gives no reason; write //lastbit:ignore fma and the reason`

//lastbit:ignore fma,order the order is fixed // want `no analyzer is called "order"; there are fma, maporder`

//lastbit:ignore fma the products are exact

//lastbit:ignore // want `the comment names no analyzer`

//lastbit:ignorance is not a comment of lastbit

func f() {}
