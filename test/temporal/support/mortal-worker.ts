/**
 * A workflow worker in its own process, which dies as with kill -9: around one command of each kind in `npm test`, around
 * each command in `npm run faults`, because a process takes seconds of CPU to start.
 */
import { expect } from 'vitest';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import { temporalAddress } from '../../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../../support/hosts/host-process.js';
import type { TemporalHost } from './temporal-host.js';

interface Given {
  /** Whether the worker has died around another command of this kind in this test. */
  isRepeated?: boolean;
}

export class MortalWorker {
  readonly #host: TemporalHost;
  readonly #diesAlways: boolean;
  #process: HostProcess | undefined;

  /**
   * @param host without a worker
   * @param deaths `all` for deaths around every command
   */
  constructor(host: TemporalHost, deaths: string | undefined) {
    this.#host = host;
    this.#diesAlways = deaths === 'all';
  }

  /** Does nothing while it is alive. */
  async start(): Promise<void> {
    if (this.#process) return;
    this.#process = await startHostProcess({
      PERDURE_ROLES: 'worker',
      DATABASE_URL: this.#host.databaseUrl,
      TEMPORAL_ADDRESS: await temporalAddress(),
      TEMPORAL_TASK_QUEUE: this.#host.taskQueue,
    });
    await this.#process.ready;
  }

  async kill(): Promise<void> {
    this.#process?.child.kill('SIGKILL');
    await this.#process?.exited;
    this.#process = undefined;
  }

  /** Gives the instance a command while no worker is alive. The next one handles it. */
  async giveBetweenDeaths(id: string, body: CommandBody, { isRepeated = false }: Given = {}): Promise<number> {
    if (this.#diesAlways || !isRepeated) {
      await this.kill();
      await this.#host.forgetWorker(id);
    }
    const { command, delivery } = await this.#host.submit(id, body);
    await this.#host.deliver(id, command, delivery);
    await this.start();
    return command.number;
  }

  async completeJobBetweenDeaths(id: string, execution: number, more: object, given?: Given): Promise<void> {
    const number = await this.giveBetweenDeaths(id, { kind: 'COMPLETE_JOB', execution, ...more } as CommandBody, given);
    expect((await this.#host.outcome(id, number)).status).toBe('APPLIED');
  }
}
