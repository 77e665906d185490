package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"

	"sabot/mqtt/display"
)

// defaultPages is where pages are served that nobody gave an address.
const defaultPages = "127.0.0.1:8080"

// displayFlags are what the command line says of pages.
type displayFlags struct {
	listen, broker, journal string
}

// showTables serves the pages of all tables on a broker, or of one record.
func showTables(e *env, args []string) error {
	var d displayFlags
	f := e.flags()
	f.StringVar(&d.listen, "listen", "", "serve on this address instead of the configuration's, or of "+defaultPages)
	f.StringVar(&d.broker, "broker", "", "follow this broker and read no configuration: tcp://HOST:PORT, without a password")
	f.StringVar(&d.journal, "journal", "", "show the record in this folder, event by event, to this machine only")
	rest, err := e.parse(f, args, 0, 1)
	switch {
	case err != nil:
		return err
	case d.listen != "" && !validAddress(d.listen):
		return usageError("display: --listen takes an address such as 127.0.0.1:8080")
	case d.broker != "" && !validBroker(d.broker):
		return usageError("display: --broker takes tcp://HOST:PORT")
	case (d.broker != "" || d.journal != "") && len(rest) > 0, d.broker != "" && d.journal != "":
		return usageError("display: give a configuration, or --broker, or --journal")
	case d.journal != "":
		return d.audit(e)
	case d.broker != "":
		return servePages(e, DisplayConfig{Listen: d.listen}, display.Config{Broker: d.broker})
	}
	return d.configured(e, rest)
}

// configured follows the broker of a configuration.
func (d *displayFlags) configured(e *env, rest []string) error {
	file := defaultConfig
	if len(rest) > 0 {
		file = rest[0]
	}
	c, err := readConfig(file)
	if err != nil {
		return err
	}
	if d.listen != "" {
		c.Display.Listen = d.listen
		if c.Display.Accounts != "" && c.Display.Cert == "" && !validListen(d.listen) {
			return usageError("display: with accounts and without a certificate only this machine may be served; give --listen 127.0.0.1:8080")
		}
	}
	m, err := c.MQTT.client()
	if err != nil {
		return err
	}
	if c.MQTT.Listen != "" {
		m.Broker = "tcp://" + c.MQTT.Listen
	}
	return servePages(e, c.Display, display.Config{Broker: m.Broker, User: m.User, Password: m.Password, TLS: m.TLS, Accounts: c.Display.Accounts})
}

// servePages serves until it is asked to stop.
func servePages(e *env, at DisplayConfig, c display.Config) error {
	l, scheme, err := at.open()
	if err != nil {
		return err
	}
	defer l.Close()
	c.Secure, c.Log = scheme == "https", newLog(e.stderr)
	s, err := display.New(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "pages: %s\n", pageURL(scheme, l, "/"))
	return s.Run(e.ctx, l)
}

// open listens, with TLS where there is a certificate.
func (d DisplayConfig) open() (l net.Listener, scheme string, err error) {
	if d.Listen == "" {
		d.Listen = defaultPages
	}
	if l, err = net.Listen("tcp", d.Listen); err != nil {
		return nil, "", fmt.Errorf("display: %w; give another address with --listen", err)
	}
	if d.Cert == "" {
		return l, "http", nil
	}
	pair, err := tls.LoadX509KeyPair(d.Cert, d.Key)
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("display: cert and key: %w", err), l.Close())
	}
	return tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}}), "https", nil
}

func pageURL(scheme string, l net.Listener, path string) string {
	return (&url.URL{Scheme: scheme, Host: l.Addr().String(), Path: path}).String()
}

// audit shows a record to this machine.
func (d *displayFlags) audit(e *env) error {
	if d.listen == "" {
		d.listen = defaultPages
	}
	if !validListen(d.listen) {
		return usageError("display: a record names cards that nobody saw, so it is shown on this machine only; give --listen 127.0.0.1:8080")
	}
	h, err := display.Audit(d.journal, recordedGame)
	if err != nil {
		return err
	}
	l, _, err := DisplayConfig{Listen: d.listen}.open()
	if err != nil {
		return err
	}
	defer l.Close()
	fmt.Fprintf(e.stdout, "the record: %s\n", pageURL("http", l, "/"))
	return display.Serve(e.ctx, l, h)
}
