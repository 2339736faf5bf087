/** When an instance continues in a new run: well before the server's limits end it. */

export interface RunSize {
  historyEvents: number;
  /** In addition to what every run starts with. */
  historyBytes: number;
  /** Commands handled in this run. */
  commands: number;
  /** The server's own suggestion. */
  suggested: boolean;
}

/** Reason: the length of the history, the number of commands, or the server's suggestion. */
export type RotationReason = keyof RunSize;

export type RotationNeed = { when: 'never' } | { when: 'whenQuiet' | 'now'; reason: RotationReason };

const ENOUGH: Omit<RunSize, 'suggested'> = { historyEvents: 2_000, historyBytes: 1024 * 1024, commands: 2_000 };
/** The server ends a run at 51,200 events or 50 MiB; a new run costs a busy instance a second or more. */
const TOO_MUCH: Omit<RunSize, 'suggested'> = { historyEvents: 4_000, historyBytes: 8 * 1024 * 1024, commands: 8_000 };

/** Quiet means that no command waits: a rotation in the middle of a burst delays all of it. */
export function rotationNeed(run: RunSize): RotationNeed {
  const tooMuch = reached(run, TOO_MUCH);
  if (tooMuch) return { when: 'now', reason: tooMuch };
  const enough = reached(run, ENOUGH) ?? (run.suggested ? 'suggested' : undefined);
  return enough ? { when: 'whenQuiet', reason: enough } : { when: 'never' };
}

/** The first of the thresholds that the run has reached. */
function reached(run: RunSize, threshold: Omit<RunSize, 'suggested'>): RotationReason | undefined {
  if (run.historyEvents >= threshold.historyEvents) return 'historyEvents';
  if (run.historyBytes >= threshold.historyBytes) return 'historyBytes';
  return run.commands >= threshold.commands ? 'commands' : undefined;
}
