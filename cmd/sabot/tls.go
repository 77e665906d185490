package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"sabot/mqtt"
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

// nextDoor is how another program on this machine comes to the table's broker. One of our own it knows by its certificate itself, whatever names stand in that.
func (m MQTTConfig) nextDoor() (mqtt.Config, error) {
	if m.Listen == "" {
		return m.client()
	}
	c, err := MQTTConfig{Broker: "tcp://" + m.Listen, User: m.User, PasswordFile: m.PasswordFile}.client()
	if err == nil && m.Cert != "" {
		c.Broker = "ssl://" + m.Listen
		c.TLS, err = pinned(m.Cert)
	}
	return c, err
}

// pinned trusts the first certificate in a file, and no other.
func pinned(file string) (*tls.Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("mqtt: cert: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("mqtt: cert: %s holds no certificate in PEM", file)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, // what follows is stricter
		VerifyConnection: func(s tls.ConnectionState) error {
			if !bytes.Equal(s.PeerCertificates[0].Raw, block.Bytes) {
				return errors.New("mqtt: what listens there shows another certificate than the configuration's")
			}
			return nil
		},
	}, nil
}
