/**
 * What the current workflow task has to report. All markers of a task go to Temporal in one request, which may have 4 MiB;
 * a task whose report is larger can never complete.
 */
import { sleep, workflowInfo } from '@temporalio/workflow';

/** Decisions evaluated side by side add up to 2 MiB after the check. Larger answers are stored outside of the history. */
const MOST_BYTES = 1024 * 1024;
/** A marker has a few hundred bytes of its own. */
const MOST_MARKERS = 500;
const encoder = new TextEncoder();

export class TaskLoad {
  /** Of the history at the beginning of the task: each task begins with another one. */
  private historyLength = 0;
  private bytes = 0;
  private markers = 0;

  /** Counts the answer of one local activity. */
  add(answer: unknown): void {
    this.begin();
    this.markers += 1;
    this.bytes += answer === undefined ? 0 : encoder.encode(JSON.stringify(answer)).length;
  }

  get hasRoom(): boolean {
    this.begin();
    return this.bytes < MOST_BYTES && this.markers < MOST_MARKERS;
  }

  /** Ends a task that has no room left: waiting for a timer is what completes one. */
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
