package display

import (
	"bufio"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/argon2"

	"sabot/table"
)

// The cost of a hash, which OWASP recommends for argon2id: 19 MiB of memory twice over, some tens of milliseconds.
const (
	hashTime   = 2
	hashMemory = 19 << 10 // KiB
	hashHead   = "$argon2id$v=19$m=19456,t=2,p=1$"
	hashBytes  = 32
)

// minPassword is the shortest password, in bytes.
const minPassword = 10

// Accounts are those who may use the floor console. The file has a line for each, NAME:HASH, and is read again when it changes: whoever is
// taken out of it, or gets a new password, is logged out at once.
type Accounts struct {
	path string

	mu    sync.Mutex // also lets one password be tried at a time, which bounds the memory
	list  map[string]string
	stamp time.Time
	size  int64
}

// ReadAccounts reads the file. Others than its owner must not be able to read it.
func ReadAccounts(path string) (*Accounts, error) {
	a := &Accounts{path: path}
	if err := a.read(); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *Accounts) read() error {
	info, err := os.Stat(a.path)
	if err != nil {
		return fmt.Errorf("accounts: %w; `sabot passwd` makes it", err)
	}
	if a.list != nil && info.ModTime().Equal(a.stamp) && info.Size() == a.size {
		return nil
	}
	if info.Mode().Perm()&0o037 != 0 {
		return fmt.Errorf("accounts: %s can be read or written by others; chmod 600 or 640 it", a.path)
	}
	list, err := readAccounts(a.path)
	if err == nil {
		a.list, a.stamp, a.size = list, info.ModTime(), info.Size()
	}
	return err
}

func readAccounts(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	defer f.Close()
	return parseAccounts(path, f)
}

// parseAccounts reads lines NAME:HASH. Its errors name the line, and never what stands there.
func parseAccounts(path string, in io.Reader) (map[string]string, error) {
	list := map[string]string{}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		name, hash, ok := strings.Cut(strings.TrimSpace(lines.Text()), ":")
		switch {
		case name == "" && !ok:
			continue
		case !ok || !table.ValidName(name) || !strings.HasPrefix(hash, hashHead):
			return nil, fmt.Errorf("accounts: %s:%d: this is no line of `sabot passwd`", path, n)
		}
		list[name] = hash
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("accounts: %s: %w", path, err)
	}
	return list, nil
}

// check says whether this is the person's password, and gives what proves later that the account still stands. A name that is none takes as long.
func (a *Accounts) check(name, password string) (proof string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.read() != nil {
		return "", false
	}
	hash, known := a.list[name]
	if !known {
		hash = hashHead + strings.Repeat("A", 22) + "$" + strings.Repeat("A", 43)
	}
	return hash, verify(hash, password) && known
}

// stands says whether an account is as it was when proof was given.
func (a *Accounts) stands(name, proof string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.read() == nil && a.list[name] == proof
}

func hashOf(password string, salt []byte) string {
	key := argon2.IDKey([]byte(password), salt, hashTime, hashMemory, 1, hashBytes)
	return hashHead + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(key)
}

func verify(hash, password string) bool {
	text, _, _ := strings.Cut(strings.TrimPrefix(hash, hashHead), "$")
	salt, err := base64.RawStdEncoding.DecodeString(text)
	return err == nil && subtle.ConstantTimeCompare([]byte(hashOf(password, salt)), []byte(hash)) == 1
}

// SetPassword gives a person a password in the file, which it makes where there is none; an empty password takes the person out.
func SetPassword(path, name, password string) error {
	switch {
	case !table.ValidName(name):
		return errors.New("accounts: a name is 1 to 64 of the letters A-Z a-z 0-9 . _ -; the record writes it beside each order")
	case password != "" && len(password) < minPassword:
		return fmt.Errorf("accounts: a password has at least %d letters", minPassword)
	}
	list, err := readAccounts(path)
	if errors.Is(err, fs.ErrNotExist) {
		list, err = map[string]string{}, nil
	}
	if err != nil {
		return err
	}
	if password == "" {
		if _, known := list[name]; !known {
			return fmt.Errorf("accounts: %s has no account in %s", name, path)
		}
		delete(list, name)
	} else {
		salt := make([]byte, 16)
		rand.Read(salt) // never fails
		list[name] = hashOf(password, salt)
	}
	return writeAccounts(path, list)
}

// writeAccounts replaces the file as a whole.
func writeAccounts(path string, list map[string]string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".accounts-") // for its owner only
	if err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	defer os.Remove(f.Name())
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&lines, "%s:%s\n", name, list[name])
	}
	_, err = f.WriteString(lines.String())
	if info, err := os.Stat(path); err == nil {
		_ = f.Chmod(info.Mode().Perm() &^ 0o037)
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	return nil
}
