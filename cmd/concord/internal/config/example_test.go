package config_test

import (
	"fmt"

	"concord/cmd/concord/internal/config"
)

// Without any file, the environment alone makes an endpoint.
func ExampleLoad() {
	environment := map[string]string{"OPENAI_BASE_URL": "http://localhost:8000/v1"}
	c, err := config.Load(config.Options{Env: func(name string) (string, bool) {
		v, ok := environment[name]
		return v, ok
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := c.Model("Qwen/Qwen2.5-VL-7B-Instruct")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Endpoint.BaseURL, m.Wire, string(m.Params))
	// Output: http://localhost:8000/v1 Qwen/Qwen2.5-VL-7B-Instruct {"temperature":0}
}
