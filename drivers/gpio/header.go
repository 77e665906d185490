package gpio

import (
	"fmt"
	"strconv"
	"strings"
)

// header is the GPIO at each place of the header of 40 pins, which is the same on every Raspberry Pi since 2014 and on what is built like it. The other places
// have power, ground, and the two lines for a board's own memory. Its source is the pin-out in the boards' documentation.
var header = map[int]int{
	3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11, 24: 8, 26: 7,
	29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}

// Place is the name of the line at a place of the header: GPIO17 for P1_11. Any other name is its own.
func Place(name string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "P1_"))
	if line, ok := header[n]; ok && err == nil && name == fmt.Sprintf("P1_%d", n) {
		return fmt.Sprintf("GPIO%d", line)
	}
	return name
}
