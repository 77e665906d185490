package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// tls is what the broker's certificate is checked against and what we show it; nil where the configuration names none.
func (m MQTTConfig) tls() (*tls.Config, error) {
	if m.CA == "" && m.Cert == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if m.CA != "" {
		pem, err := os.ReadFile(m.CA)
		if err != nil {
			return nil, fmt.Errorf("mqtt: ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("mqtt: ca: %s holds no certificate in PEM", m.CA)
		}
	}
	if m.Cert != "" {
		pair, err := tls.LoadX509KeyPair(m.Cert, m.Key)
		if err != nil {
			return nil, fmt.Errorf("mqtt: cert and key: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
