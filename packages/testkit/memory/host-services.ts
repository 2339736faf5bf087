/** Services of the host that its parts use. */
import type { CommandBody, CommandOutcome, StartInput } from '@perdure/engine/contract/commands.js';
import type { Deployed, Deployments } from './deployments.js';
import type { Instances, MemoryInstance } from './instance.js';
import type { Pauses } from './pauses.js';

export interface HostServices {
  /** The virtual time. */
  readonly now: number;
  readonly instances: Instances;
  readonly deployments: Deployments;
  readonly pauses: Pauses;
  /** Whether calls of processes that are not deployed wait for an answer instead of failing. */
  readonly keepsUnknownCalls: boolean;
  /** Starts an instance; its id is the next one unless given. */
  begin(process: Deployed, start: StartInput, workflowID?: string): MemoryInstance;
  /** Sends one command and returns its outcome; undefined if it is deferred until resume. */
  send(instance: MemoryInstance, body: CommandBody & { reason?: string }): CommandOutcome | undefined;
}
