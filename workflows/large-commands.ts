/** Reading commands that were too large for a signal. */
import { sleep, workflowInfo } from '@temporalio/workflow';
import type { Command } from '../engine/commands.js';
import { call } from './activities.js';

/** The server takes at most 4 MiB from one workflow task, and what an activity answers is part of it. */
const MOST_CHARACTERS_PER_TASK = 1024 * 1024;

export class LargeCommands {
  /** Length of the history when the current workflow task began: tells one task from the next. */
  private task = 0;
  private charactersInTask = 0;

  constructor(private readonly workflowID: string) {}

  async load(number: number): Promise<Command> {
    await this.makeRoom();
    const command = await call('loadCommand', { workflowID: this.workflowID, number }, `command ${number}`);
    this.charactersInTask += JSON.stringify(command).length;
    return command;
  }

  private async makeRoom(): Promise<void> {
    // A timer ends the workflow task, and with it what is sent to the server at once.
    if (this.task === workflowInfo().historyLength && this.charactersInTask >= MOST_CHARACTERS_PER_TASK) await sleep(1);
    const { historyLength } = workflowInfo();
    if (this.task === historyLength) return;
    this.task = historyLength;
    this.charactersInTask = 0;
  }
}
