package main

import (
	"go.yaml.in/yaml/v4"
)

// MetricsConfig is where the table says how it runs, to a Prometheus.
type MetricsConfig struct {
	Listen string // ADDRESS:PORT; "" for nowhere
}

// metrics reads their section.
func (r *reader) metrics(n *yaml.Node) {
	const address = "an address of this machine such as 127.0.0.1:9464"
	r.section(n, "metrics", []key{{"listen", address, r.text("metrics.listen", address, &r.config.Metrics.Listen, validAddress)}})
}

// settleMetrics warns of readers that nobody asked who they are.
func (r *reader) settleMetrics() {
	listen, n := r.config.Metrics.Listen, r.nodes["metrics.listen"]
	if listen == "" || validListen(listen) {
		return
	}
	text := "warning: other machines reach " + listen + ", and everybody there reads how the table runs, without a password; its cards are not among it"
	r.config.Warnings = append(r.config.Warnings, Problem{r.config.File, n.Line, n.Column, text})
}
