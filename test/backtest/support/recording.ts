/** Instances of one model on the engine in memory, and models to compare them with. */
import { backtest, type BacktestItem, type Decisions, type Recording } from '@perdure/backtest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { expect } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { recordAll } from './recorder-of-host.js';

export async function modelFrom(xml: string): Promise<Model> {
  const { processes, problems } = await compile(xml);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return modelOf(JSON.parse(JSON.stringify(processes[0]!.graph)));
}

/** Runs an instance of process `p` with everything that `happens` does to it. */
export async function record(
  xml: string,
  happens: (host: MemoryHost, instance: MemoryInstance) => void,
  { variables = {}, prepare }: { variables?: Variables; prepare?: (host: MemoryHost) => void } = {},
): Promise<Recording> {
  const host = await MemoryHost.deploy(xml);
  host.compareEvery = Infinity;
  prepare?.(host);
  const recorders = recordAll(host);
  const instance = host.start('p', variables);
  happens(host, instance);
  expect(instance.state.status).not.toBe('RUNNING');
  return recorders.get(instance.workflowID)!.recording;
}

export async function item(recording: Recording, candidate: string, decisions?: Decisions): Promise<BacktestItem> {
  return backtest(recording, await modelFrom(candidate), decisions).item;
}
