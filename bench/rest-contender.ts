/** A host that is measured through its REST API: the product, or the twin. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { repositoryRoot } from '../dev/repository.js';
import type { Client, Instance } from './client.js';
import type { Contender } from './contender.js';
import type { Workload } from './workloads.js';

/** Asking how many are left costs as much as a job: the more are left, the longer the pause before the next look. */
const DRAIN_PAUSE_MS = { least: 10, forEachLeft: 5 };

export class RestContender implements Contender {
  readonly #definitions = new Map<string, string>();

  constructor(
    readonly name: string,
    readonly client: Client,
    readonly processIDs: readonly number[],
  ) {}

  async prepare(workload: Workload): Promise<void> {
    this.#definitions.set(
      workload.name,
      await this.client.deploy(
        workload.name,
        decodeFile(readFileSync(join(repositoryRoot, 'bench/models', workload.model)), workload.model),
      ),
    );
  }

  async run(workload: Workload, callers: number, count: number): Promise<void> {
    await this.#withHelp(workload, () => this.#runInstances(workload, callers, count));
  }

  /** By the times that the host itself records. */
  async runOneByOne(workload: Workload, count: number): Promise<number[]> {
    const latencies: number[] = [];
    await this.#withHelp(workload, async () => {
      for (let index = 0; index < count; index += 1) {
        await this.#runInstances(workload, 1, 1);
        latencies.push(durationMs(await this.#newestInstance(workload)));
      }
    });
    return latencies;
  }

  async newest(workload: Workload): Promise<string> {
    return (await this.#newestInstance(workload)).workflowID;
  }

  /** The id of the workload's definition. */
  definition(workload: Workload): string {
    const id = this.#definitions.get(workload.name);
    if (id === undefined) throw new Error(`${workload.name} was not deployed to the ${this.name}`);
    return id;
  }

  async #newestInstance(workload: Workload): Promise<Instance> {
    const [newest] = await this.client.instances(this.definition(workload), 1);
    return newest!;
  }

  async #runInstances(workload: Workload, callers: number, count: number): Promise<void> {
    const definition = this.definition(workload);
    let left = count;
    const call = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const variables = workload.variables();
        const workflowID = await this.client.start(definition, variables);
        await workload.afterStart?.(this.client, workflowID, variables);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    for (
      let running = await this.client.running(definition);
      running > 0;
      running = await this.client.running(definition)
    ) {
      await delay(Math.max(DRAIN_PAUSE_MS.least, running * DRAIN_PAUSE_MS.forEachLeft));
    }
  }

  async #withHelp(workload: Workload, work: () => Promise<void>): Promise<void> {
    if (!workload.help) return work();
    const done = new AbortController();
    const helping = workload.help(this.client, done.signal);
    try {
      // It ends directly only when it fails.
      await Promise.race([work(), helping]);
    } finally {
      done.abort();
    }
    await helping;
  }
}

function durationMs({ createdAt, completedAt }: Instance): number {
  return Date.parse(completedAt!) - Date.parse(createdAt);
}
