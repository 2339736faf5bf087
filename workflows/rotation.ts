/** When an instance goes on in a new run: well before the server's own limits end it. */

export interface RunSize {
  historyEvents: number;
  /** Beyond what every run begins with. */
  historyBytes: number;
  /** Commands handled in this run. */
  commands: number;
  /** The server's own hint. */
  suggested: boolean;
}

export type RotationNeed = 'none' | 'whenQuiet' | 'now';

const ENOUGH: Omit<RunSize, 'suggested'> = { historyEvents: 2_000, historyBytes: 1024 * 1024, commands: 2_000 };
/** The server ends a run at 51,200 events or 50 MiB; a new run costs a busy instance a second or more. */
const TOO_MUCH: Omit<RunSize, 'suggested'> = { historyEvents: 8_000, historyBytes: 8 * 1024 * 1024, commands: 8_000 };

/** Quiet means that no command waits: a rotation in the middle of a burst delays all of it. */
export function rotationNeed(run: RunSize): RotationNeed {
  if (reaches(run, TOO_MUCH)) return 'now';
  return run.suggested || reaches(run, ENOUGH) ? 'whenQuiet' : 'none';
}

function reaches(run: RunSize, threshold: Omit<RunSize, 'suggested'>): boolean {
  return run.historyEvents >= threshold.historyEvents || run.historyBytes >= threshold.historyBytes || run.commands >= threshold.commands;
}
