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
	listen, journal string
	mqtt            MQTTConfig
}

// showTables serves the pages of all tables on a broker, or of one record.
func showTables(e *env, args []string) error {
	var d displayFlags
	f := e.flags()
	f.StringVar(&d.listen, "listen", "", "serve on this address instead of the configuration's, or of "+defaultPages)
	f.StringVar(&d.journal, "journal", "", "show the record in this folder, event by event, to this machine only")
	f.StringVar(&d.mqtt.Broker, "broker", "", "follow this broker and read no configuration: tcp://, ssl://, ws:// or wss://, then HOST:PORT")
	f.StringVar(&d.mqtt.User, "user", "", "the user on that broker")
	f.StringVar(&d.mqtt.PasswordFile, "password-file", "", "the file with the user's password")
	f.StringVar(&d.mqtt.CA, "ca", "", "the file with the certificates that broker's must follow from, in place of the machine's")
	f.StringVar(&d.mqtt.Cert, "cert", "", "the file with the certificate to show that broker")
	f.StringVar(&d.mqtt.Key, "key", "", "the file with its key")
	rest, err := e.parse(f, args, 0, 1)
	if err == nil {
		err = d.problem(len(rest) > 0)
	}
	switch {
	case err != nil:
		return err
	case d.journal != "":
		return d.audit(e)
	case d.mqtt.Broker != "":
		c := Config{MQTT: d.mqtt, Display: DisplayConfig{Listen: d.listen}}
		return c.servePages(e)
	}
	c, err := readPages(configPath(rest))
	if err != nil {
		return err
	}
	if d.listen != "" {
		c.Display.Listen = d.listen
		if c.Display.Accounts != "" && c.Display.Cert == "" && !validListen(d.listen) {
			return usageError("display: with accounts and without a certificate only this machine may be served; give --listen 127.0.0.1:8080")
		}
	}
	return c.servePages(e)
}

// problem is what is wrong with the command line.
func (d *displayFlags) problem(configured bool) error {
	m := d.mqtt
	login := m
	login.Broker = ""
	switch {
	case d.listen != "" && !validAddress(d.listen):
		return usageError("display: --listen takes an address such as 127.0.0.1:8080")
	case m.Broker != "" && !validBroker(m.Broker):
		return usageError("display: --broker takes tcp://HOST:PORT, or ssl://, ws:// or wss://")
	case (m.Broker != "" || d.journal != "") && configured, m.Broker != "" && d.journal != "":
		return usageError("display: give a configuration, or --broker, or --journal")
	case m.Broker == "" && login != MQTTConfig{}:
		return usageError("display: --user, --password-file, --ca, --cert and --key go with --broker; a configuration has its own")
	case (m.User == "") != (m.PasswordFile == ""), (m.Cert == "") != (m.Key == ""):
		return usageError("display: --user goes with --password-file, and --cert with --key")
	}
	return nil
}

// servePages serves until it is asked to stop.
func (c *Config) servePages(e *env) error {
	pages, err := c.pages()
	if err != nil {
		return err
	}
	l, scheme, err := c.Display.open()
	if err != nil {
		return err
	}
	defer l.Close()
	pages.Secure, pages.Log = scheme == "https", newLog(e.stderr)
	s, err := display.New(pages)
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
