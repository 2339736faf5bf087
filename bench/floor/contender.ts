/** The floor: raw Temporal workflows of the same shapes, in a process of its own on the same servers. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiledScript } from '../../scripts/repository.js';
import type { Contender } from '../contender.js';
import type { Workload } from '../workloads.js';
import type { FloorRan, FloorRun } from './process.js';

export class Floor implements Contender {
  readonly name = 'floor';
  #newest = '';

  private constructor(private readonly child: ChildProcess) {}

  /**
   * @param databaseUrl of an empty database
   * @param workflowBundle made of `workflow.ts`
   */
  static async start(temporalAddress: string, databaseUrl: string, workflowBundle: string): Promise<Floor> {
    const child = fork(compiledScript('bench/floor/process.js'), {
      env: { ...process.env, TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_TASK_QUEUE: 'bench-floor', DATABASE_URL: databaseUrl, BENCH_WORKFLOW_BUNDLE: workflowBundle },
    });
    await untilAnswer(child);
    return new Floor(child);
  }

  get processIDs(): readonly number[] {
    return [this.child.pid!];
  }

  async prepare(): Promise<void> {}

  async run({ waits }: Workload, callers: number, count: number): Promise<void> {
    await this.#send({ waits, callers, count });
  }

  async runOneByOne({ waits }: Workload, count: number): Promise<number[]> {
    const latencies: number[] = [];
    for (let index = 0; index < count; index += 1) latencies.push(...(await this.#send({ waits, callers: 1, count: 1 })).latenciesMs);
    return latencies;
  }

  async newest(): Promise<string> {
    return this.#newest;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  async #send(run: FloorRun): Promise<FloorRan> {
    this.child.send(run);
    const ran = (await untilAnswer(this.child)) as FloorRan;
    this.#newest = ran.newest;
    return ran;
  }
}

function untilAnswer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The floor's process ended with exit code ${code}; why stands above`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer);
    });
  });
}
