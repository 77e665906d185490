package broker

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/crypto/bcrypt"
)

// A file of users has a line for each: NAME:ROLE:HASH, the hash being bcrypt's of the password. Empty lines, and those that begin with #, say nothing. Nobody can
// read a password out of it, and still it is no file for everybody: weak passwords can be tried.

const (
	maxUsers = 256
	// maxCost bounds the time one look at a password takes: at 12 about half a second on a small machine.
	maxCost = 12
)

// ReadUsers reads a file of users. Its errors name the line.
func ReadUsers(file string) (map[string]User, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("broker: users: %w", err)
	}
	defer f.Close()
	users := map[string]User{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		name, u, err := parseUser(text)
		if _, twice := users[name]; err == nil && twice {
			err = fmt.Errorf("%s stands there twice", name)
		}
		if err != nil {
			return nil, fmt.Errorf("broker: %s:%d: %w", file, n, err)
		}
		users[name] = u
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("broker: %s: %w", file, lines.Err())
	case len(users) == 0 || len(users) > maxUsers:
		return nil, fmt.Errorf("broker: %s names %d users; write 1 to %d", file, len(users), maxUsers)
	}
	return users, nil
}

// parseUser reads a line. What stands where the hash should is never told: it may be a password.
func parseUser(text string) (name string, u User, err error) {
	name, rest, _ := strings.Cut(text, ":")
	role, hash, _ := strings.Cut(rest, ":")
	u = User{Hash: hash, Role: Role(role)}
	cost, bad := bcrypt.Cost([]byte(hash))
	switch {
	case !validUser(name):
		return "", u, fmt.Errorf("a user's name is 1 to 64 letters, digits, . _ or -")
	case reads[u.Role] == nil:
		return "", u, fmt.Errorf("%s has no role; write NAME:ROLE:HASH with overlay, game, floor or table", name)
	case bad != nil || len(hash) != len(noHash):
		return "", u, fmt.Errorf("the third part for %s is no bcrypt hash of a password", name)
	case cost > maxCost:
		return "", u, fmt.Errorf("the hash of %s has cost %d, and each connection would wait for it; at most %d", name, cost, maxCost)
	}
	return name, u, nil
}

// SetUser gives a user a role and a password in a file of users, which it makes where there is none, for its owner only. An empty password takes the user out. All
// else stays as it is, comments too; a broker reads the file when it starts.
func SetUser(file, name string, role Role, password string) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("broker: users: %w", err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), name+":") })
	switch {
	case password != "":
		line, err := UserLine(name, role, password)
		if err != nil {
			return err
		}
		if at < 0 {
			at, lines = len(lines), append(lines, "")
		}
		lines[at] = line
	case at < 0:
		return fmt.Errorf("broker: %s is no user in %s", name, file)
	default:
		lines = slices.Delete(lines, at, at+1)
	}
	return replace(file, strings.TrimLeft(strings.Join(lines, "\n")+"\n", "\n"))
}

// replace replaces a file as a whole. It stays whose it was, where we may give it, and as open to others, except to write.
func replace(file, text string) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".users-") // for its owner only
	if err != nil {
		return fmt.Errorf("broker: users: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if info, old := os.Stat(file); old == nil {
		err = errors.Join(err, f.Chmod(info.Mode().Perm()&^0o022))
		was := info.Sys().(*syscall.Stat_t)
		_ = f.Chown(int(was.Uid), int(was.Gid)) // only root may, and only for root it matters
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("broker: users: %w", err)
	}
	return nil
}

// UserLine is a user's line in a file of users.
func UserLine(name string, role Role, password string) (string, error) {
	switch {
	case !validUser(name):
		return "", fmt.Errorf("broker: a user's name is 1 to 64 letters, digits, . _ or -")
	case reads[role] == nil:
		return "", fmt.Errorf("broker: %q is no role; write overlay, game, floor or table", role)
	case len(password) < minPassword:
		return "", fmt.Errorf("broker: a password has %d bytes or more", minPassword)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil { // it is longer than 72 bytes
		return "", fmt.Errorf("broker: %w", err)
	}
	return name + ":" + string(role) + ":" + string(hash), nil
}

// minPassword is for passwords that machines keep: nobody has to remember them.
const minPassword = 12

func validUser(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return name != "" && len(name) <= 64
}
