package trialset

// Ingest is the value that states the bytes of records that were acknowledged, B/s.
const Ingest = "ingest"

// Egress is the value that states the bytes of records that were read, B/s.
const Egress = "egress"
