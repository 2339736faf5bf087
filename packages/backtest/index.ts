/** Plays instances that have ended against another version of their process, and compares. */
export { backtest, type Backtested, type BacktestItem } from './backtest.js';
export type { First, Outcome } from './comparison/outcome.js';
export type { Decisions } from './play.js';
export type { Position, Positions } from './positions.js';
export { reasonToSkip, type RecordedCommand, type RecordedStep, type Recording } from './recording.js';
export { recordingOf, type StoredRecording } from './start-of.js';
export type { Run, Runs, RunVisit } from './runs.js';
export { Tally, type BacktestGroup, type BacktestReport, type Percentiles } from './report.js';
