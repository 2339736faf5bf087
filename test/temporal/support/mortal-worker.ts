/** A workflow worker in its own process, which dies as with kill -9. */
import { expect } from 'vitest';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import { temporalAddress } from '../../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../../support/hosts/host-process.js';
import type { TemporalHost } from './temporal-host.js';

export class MortalWorker {
  readonly #host: TemporalHost;
  #process: HostProcess | undefined;

  /** @param host without a worker */
  constructor(host: TemporalHost) {
    this.#host = host;
  }

  async start(): Promise<void> {
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
  async giveBetweenDeaths(id: string, body: CommandBody): Promise<number> {
    await this.kill();
    const { command, delivery } = await this.#host.submit(id, body);
    await this.#host.deliver(id, command, delivery);
    await this.start();
    return command.number;
  }

  async completeJobBetweenDeaths(id: string, execution: number, more: object): Promise<void> {
    const number = await this.giveBetweenDeaths(id, { kind: 'COMPLETE_JOB', execution, ...more } as CommandBody);
    expect((await this.#host.outcome(id, number)).status).toBe('APPLIED');
  }
}
