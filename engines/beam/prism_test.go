//go:build prism

package exactbeam

import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

func init() { runner = "prism" }
