// Package plan decides what to measure next. It is pure: a Request becomes a resolved record.Plan, and Next is a
// function of that plan and of the trials done so far, so that running, resuming, replaying and simulating share the
// same code.
package plan
