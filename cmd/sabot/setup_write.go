package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"sabot/shoe/uid"
)

// beside is a file that belongs to the configuration: its name with another ending.
func (p *plan) beside(ending string) string {
	file := p.file
	if file == toStdout {
		file = defaultConfig
	}
	return strings.TrimSuffix(file, filepath.Ext(file)) + ending
}

func (p *plan) passwordFile() string {
	if p.password != "" {
		return p.password
	}
	return p.beside(".password")
}

// ready says before anything is asked that the file can be written.
func (p *plan) ready() error {
	if p.password != "" {
		if why := validFile(p, p.password); why != "" {
			return usageError("setup: --password-file: " + why)
		}
	}
	if p.file == toStdout || p.force {
		return nil
	}
	if there(p.file) {
		return fmt.Errorf("setup: %s is there already; --force writes over it, or name another file", p.file)
	}
	return nil
}

// write writes the files, and says what comes next.
func (p *plan) write(e *env, who *typist) error {
	if p.file == toStdout {
		fmt.Fprint(e.stdout, p.text())
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o755); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	wrote, err := p.writeSecrets(who)
	if err != nil {
		return err
	}
	r := readText(p.file, p.text())
	r.files()
	c, problems := r.result()
	if len(problems) > 0 {
		return problems
	}
	if err := p.put(p.file, p.text(), shared); err != nil {
		return err
	}
	for _, w := range c.Warnings {
		fmt.Fprintln(e.stderr, w)
	}
	for _, file := range append(wrote, p.file) {
		fmt.Fprintf(e.stdout, "wrote %s\n", file)
	}
	fmt.Fprint(e.stdout, c.summary())
	p.next(e)
	return nil
}

// writeSecrets writes what nobody else may read: the password, and a file for the tags.
func (p *plan) writeSecrets(who *typist) (wrote []string, err error) {
	if user := p.said["user"]; user != "" && user != "none" && p.password == "" {
		if err := p.writePassword(who, user); err != nil {
			return nil, err
		}
		wrote = append(wrote, p.passwordFile())
	}
	file := p.beside(".cards")
	if !p.reader().enrolled() || there(file) {
		return wrote, nil
	}
	cards := uid.Cards{Decks: int(p.play().House.Decks)}
	return append(wrote, file), p.put(file, cards.Format(), secret)
}

// writePassword asks for the password at the broker, and keeps it.
func (p *plan) writePassword(who *typist, user string) error {
	file := p.passwordFile()
	if there(file) && !p.force {
		return fmt.Errorf("setup: %s is there already; --password-file %s takes the password in it, --force asks for another", file, file)
	}
	password, err := who.password("password of " + user + " at " + p.said["broker"])
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return p.put(file, password+"\n", secret)
}

// there says that a path is taken.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Who may read a file: the service alone, or root, who writes it, and the service.
const (
	secret = 0o600
	shared = 0o640
)

// put writes a file, whole or not at all.
func (p *plan) put(file, text string, mode fs.FileMode) error {
	next := file + ".new"
	err := writeNext(next, file, text)
	if err == nil {
		err = hand(next, mode)
	}
	if err == nil && p.force {
		err = os.Rename(next, file)
	} else if err == nil {
		err = errors.Join(os.Link(next, file), os.Remove(next)) // it may have come meanwhile
	}
	if err == nil {
		err = syncFolder(filepath.Dir(file))
	}
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return nil
}

// hand gives a file to whom it is for, where root sets up a machine that has a user for the service. Anybody else writes it for himself.
func hand(file string, mode fs.FileMode) error {
	u, err := user.Lookup("sabot")
	if err != nil || os.Geteuid() != 0 {
		return nil
	}
	id, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	group, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	if mode == shared {
		id = 0
	}
	return errors.Join(os.Chown(file, id, group), os.Chmod(file, mode))
}

// next says what comes now.
func (p *plan) next(e *env) {
	config := ""
	if p.file != defaultConfig {
		config = " " + p.file
	}
	kind := p.reader()
	if kind.virtual() {
		what := "wheel"
		if _, shoe := p.said["shoe"]; shoe {
			what = "line"
		}
		fmt.Fprintf(e.stdout, "next: sabot emulate %s   (in another terminal)\n", what)
	}
	if kind.enrolled() {
		fmt.Fprintf(e.stdout, "next: sabot enrol%s\n", config)
	}
	fmt.Fprintf(e.stdout, "next: sabot doctor%s\nthen: sabot run%s\n", config, config)
}
