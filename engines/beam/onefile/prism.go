//go:build prism

package main

import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

const runner = "prism"
