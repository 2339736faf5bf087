/**
 * Raw Temporal workflows of the same shapes, in their own process on the same servers. The floor ends its workflow task
 * at each wait, as hand-written workflows do; the ceiling lingers, as the host does.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { nodeFlags } from '../../dev/processes/node-flags.js';
import { compiledScript } from '../../dev/repository.js';
import type { Contender } from '../contender.js';
import type { Workload } from '../workloads.js';
import type { FloorRan, FloorRun } from './process.js';

export interface RawTemporalOptions {
  name: 'floor' | 'ceiling';
  temporalAddress: string;
  taskQueue: string;
  /** Of an empty database. */
  databaseUrl: string;
  /** Made of `workflow.ts`. */
  workflowBundle: string;
}

export class RawTemporal implements Contender {
  #newest = '';

  private constructor(
    readonly name: RawTemporalOptions['name'],
    private readonly child: ChildProcess,
  ) {}

  static async start({
    name,
    temporalAddress,
    taskQueue,
    databaseUrl,
    workflowBundle,
  }: RawTemporalOptions): Promise<RawTemporal> {
    const child = fork(compiledScript('bench/floor/process.js'), {
      execArgv: nodeFlags,
      env: {
        ...process.env,
        TEMPORAL_ADDRESS: temporalAddress,
        TEMPORAL_TASK_QUEUE: taskQueue,
        DATABASE_URL: databaseUrl,
        BENCH_WORKFLOW_BUNDLE: workflowBundle,
      },
    });
    await untilAnswer(child, name);
    return new RawTemporal(name, child);
  }

  get processIDs(): readonly number[] {
    return [this.child.pid!];
  }

  async prepare(): Promise<void> {}

  async run({ waits }: Workload, callers: number, count: number): Promise<void> {
    await this.#send({ waits, callers, count, lingers: this.#lingers });
  }

  async runOneByOne({ waits }: Workload, count: number): Promise<number[]> {
    const latencies: number[] = [];
    for (let index = 0; index < count; index += 1)
      latencies.push(...(await this.#send({ waits, callers: 1, count: 1, lingers: this.#lingers })).latenciesMs);
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

  get #lingers(): boolean {
    return this.name === 'ceiling';
  }

  async #send(run: FloorRun): Promise<FloorRan> {
    this.child.send(run);
    const ran = (await untilAnswer(this.child, this.name)) as FloorRan;
    this.#newest = ran.newest;
    return ran;
  }
}

function untilAnswer(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`The process of the ${name} ended with exit code ${code}; the log above has the reason`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer);
    });
  });
}
