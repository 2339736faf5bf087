/** Migrations of instances in memory. */
import { expect } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Wait } from '@perdure/engine/state/state.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { endEvent, type Xml } from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

/** An instance of the first version, with the second one deployed. */
export async function between(first: string, second: string, variables: Variables = {}) {
  const host = await MemoryHost.deploy(first);
  const instance = host.start('p', variables);
  await host.deploy(second);
  return { host, instance };
}

export function migrate(
  host: MemoryHost,
  instance: MemoryInstance,
  mappings: { [source: string]: string } = {},
  variables?: Variables,
) {
  expect(host.migrate(instance, mappings, variables)).toEqual({
    number: instance.state.lastCommand,
    status: 'APPLIED',
  });
}

/** Migrates and expects it to be refused, with nothing changed. */
export function issues(
  host: MemoryHost,
  instance: MemoryInstance,
  mappings: { [source: string]: string } = {},
): string[] {
  const before = host.facts(instance).length;
  const outcome = host.migrate(instance, mappings);
  expect(outcome).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  expect(
    host
      .facts(instance)
      .slice(before)
      .map(({ kind }) => kind),
  ).toEqual(['COMMAND_HANDLED']);
  return outcome.issues!;
}

export const waits = (instance: MemoryInstance): { [node: string]: Wait } =>
  Object.fromEntries(Object.values(instance.state.waits).map((wait) => [wait.node, wait]));
/** What starts, then `a`, then an end. */
export const oneTask = (body: string, id = 'a', more: Xml = '', roots: Xml = '') =>
  simpleModel([body, endEvent('e'), more], [`f1: s -> ${id}`, `f2: ${id} -> e`], roots);
