//go:build purego

package ordered

const purego = true
