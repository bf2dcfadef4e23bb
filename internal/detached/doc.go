// Package detached looks after runs that go on without the terminal that began them: it starts them, tells how far they
// are, follows what they say, and brings their sessions home.
package detached
