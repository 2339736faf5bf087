/**
 * The size of the report of the current workflow task. All markers of a task go to Temporal in one request of at most
 * 4 MiB. A task with a larger report can never complete.
 */
import { sleep, workflowInfo } from '@temporalio/workflow';
import type { WayOut } from './way-out.js';

/** Decisions evaluated in parallel add up to 2 MiB after the check. Larger results are stored outside the history. */
const MOST_BYTES = 1024 * 1024;
/** Overhead of a marker: a few hundred bytes. */
const MOST_MARKERS = 500;
const encoder = new TextEncoder();

export class TaskLoad {
  /** Length of the history at the beginning of the task, which identifies the task. */
  private historyLength = 0;
  private bytes = 0;
  private markers = 0;

  /** @param wayOut of the instance whose tasks these are */
  constructor(readonly wayOut?: WayOut) {}

  /** Counts the result of one local activity. */
  add(answer: unknown): void {
    this.begin();
    this.markers += 1;
    this.bytes += answer === undefined ? 0 : encoder.encode(JSON.stringify(answer)).length;
  }

  get hasRoom(): boolean {
    this.begin();
    return this.bytes < MOST_BYTES && this.markers < MOST_MARKERS;
  }

  /** Ends a task that has no room left by waiting for a timer, which completes the task. */
  async makeRoom(): Promise<void> {
    if (!this.hasRoom) await sleep(1);
  }

  private begin(): void {
    const { historyLength } = workflowInfo();
    if (historyLength === this.historyLength) return;
    this.historyLength = historyLength;
    this.bytes = 0;
    this.markers = 0;
  }
}
