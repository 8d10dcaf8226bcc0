//go:build js && wasm

// Command lastbitweb is the program of the page that runs in a browser. The
// page calls its functions as lastbit.sum and the like; each returns JSON with
// a value or an error.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"syscall/js"

	"github.com/lastbit/lastbit/cmd/lastbitweb/internal/page"
)

func main() {
	p := new(program)
	object := js.Global().Get("Object").New()
	for name, call := range map[string]func(args []js.Value) (any, error){
		"sum": p.sum, "shuffle": p.shuffle, "functions": p.functions, "check": p.check,
		"compare": p.compare,
	} {
		object.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			return answer(call, args)
		}))
	}
	js.Global().Set("lastbit", object)
	js.Global().Call("lastbitReady")
	select {}
}

// answer calls a function and returns its answer as JSON.
func answer(call func(args []js.Value) (any, error), args []js.Value) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = reply(nil, fmt.Errorf("%v", r))
		}
	}()
	return reply(call(args))
}

func reply(value any, err error) string {
	message := map[string]any{"value": value}
	if err != nil {
		message = map[string]any{"error": err.Error()}
	}
	text, err := json.Marshal(message)
	if err != nil {
		return reply(nil, err)
	}
	return string(text)
}

// program holds the numbers that were added last.
type program struct{ numbers []float64 }

// sum takes a text.
func (p *program) sum(args []js.Value) (any, error) {
	x, err := page.Numbers(args[0].String())
	if err != nil {
		return nil, err
	}
	p.numbers = x
	return page.Sum(x), nil
}

// shuffle takes a seed.
func (p *program) shuffle(args []js.Value) (any, error) {
	if len(p.numbers) == 0 {
		return nil, fmt.Errorf("there are no numbers")
	}
	page.Shuffle(p.numbers, uint64(args[0].Int()))
	return page.Sum(p.numbers), nil
}

func (p *program) functions([]js.Value) (any, error) { return page.FunctionNames(), nil }

// check takes a name, and the bytes of arguments and of results.
func (p *program) check(args []js.Value) (any, error) {
	return page.CheckFunction(args[0].String(), float64s(args[1]), float64s(args[2]))
}

// compare takes two files, the name of an operation, and its inputs.
func (p *program) compare(args []js.Value) (any, error) {
	return page.Compare(content(args[0]), content(args[1]), args[2].String(), content(args[3]),
		content(args[4]))
}

// content copies an Uint8Array.
func content(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// float64s copies the float64 numbers in an Uint8Array.
func float64s(v js.Value) []float64 {
	b := content(v)
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}
