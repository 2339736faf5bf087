/**
 * The size of the current workflow task: its report, and the signals that the server buffers in the meantime. All markers of a
 * task go to Temporal in one request of at most 4 MiB. A task with a larger report can never complete. The server fails a
 * task during which more than 100 signals arrive, and schedules a new one while the worker still works on the old one.
 *
 * Counted from the last wait for anything but an activity, which completes the task. The worker may have completed it earlier
 * and asked for more time, but a replay does not know when.
 */
import { sleep } from '@temporalio/workflow';

/** Decisions evaluated in parallel add up to 2 MiB after the check. Larger results are stored outside the history. */
const MAX_TASK_BYTES = 1024 * 1024;
/** Overhead of a marker: a few hundred bytes. */
const MAX_MARKERS = 500;
/** Leaves room for what step commits do not account for: wake-ups, and commands that the outbox relay sends again. */
const MAX_SIGNALS = 60;
const encoder = new TextEncoder();

export class TaskLoad {
  private reportedBytes = 0;
  private reportedMarkers = 0;
  private signals = 0;

  /** Counts the result of one local activity. */
  add(answer: unknown): void {
    this.reportedMarkers += 1;
    this.reportedBytes += answer === undefined ? 0 : encoder.encode(JSON.stringify(answer)).length;
  }

  /** Counts a command that was written outside the workflow task, of which Temporal may have been signaled. */
  addSignal(): void {
    this.signals += 1;
  }

  get bytes(): number {
    return this.reportedBytes;
  }

  get markers(): number {
    return this.reportedMarkers;
  }

  get hasRoom(): boolean {
    return this.reportedBytes < MAX_TASK_BYTES && this.reportedMarkers < MAX_MARKERS && this.signals < MAX_SIGNALS;
  }

  /** Ends a task that has no room left by waiting for a timer. */
  async makeRoom(): Promise<void> {
    if (!this.hasRoom) await this.endTask(() => sleep(1));
  }

  /** Waits for something other than an activity, which ends the task. */
  async endTask(wait: () => Promise<unknown>): Promise<void> {
    await wait();
    this.reportedBytes = 0;
    this.reportedMarkers = 0;
    this.signals = 0;
  }
}
