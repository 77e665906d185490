package table

// Waiting is how many cards the supervisor ordered to be used that are not dealt yet.
func (p *Procedure) Waiting() int { return int(p.aside.n + p.carry.n) }
