// Package record is the vocabulary that every other package shares: a machine, a workload's declaration, a plan, a
// trial and its values. It holds types, their units and their text forms, and nothing that acts: it opens no file,
// starts no process and reads no clock.
//
// Field names in JSON are those of docs/format.md; a field is never renamed or given another unit once a released
// version has written it.
package record

// Format is the version of the session format that this build writes, and the newest that it reads.
const Format = 1
