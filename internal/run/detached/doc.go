// Package detached looks after runs that nobody waits for, here and on other hosts: it tells how far they are, and
// brings their sessions home.
package detached
