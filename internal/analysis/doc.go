// Package analysis is the room of the way from runs to verdicts. All of it is pure: it reads sessions in memory and
// returns findings.
//
// Trialset groups runs and decides which count. Sequential and loadline end comparisons and searches. Finding has
// the model and a folder per topic, and judge the list of topics for show, compare and report. History, explore,
// claims, articles, valuation and port answer the other questions.
//
//   - A run's identity is flat keys (aes-gcm.size, factor.tool, machine), so grouping, filtering and listing other
//     differences are one mechanism. cpus=all stays all, so two machines share the cell.
//   - A machine's name isn't its identity. record.Machine.ID is a digest of unique properties. Sessions of one
//     machine get names such as vm (old) and vm (new) (judge.TellApart) if they share a cell.
//   - record.Trial.Measures decides once which runs count: not pilots, extra pairs, safe-rate or profiled runs
//     (record.Role), and not failed ones. A search or sweep becomes a new run (trialset/summarytrial.go).
//   - Only trialset.TrustIn fails a run because of the load generator. The agent reports record.LoadUse and decides
//     nothing.
//   - A cross-check is a preset of exec (record.Preset): the cell contains the whole command, and convert reads its
//     output.
package analysis
