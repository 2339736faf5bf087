/** Modifications of instances in memory. */
import { expect } from 'vitest';
import type { ModificationInstruction } from '@perdure/engine/contract/commands.js';
import type { MemoryHost, MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { endEvent, serviceTask } from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

export const start = (
  nodeID: string,
  more: { scope?: number; variables?: Record<string, number> } = {},
): ModificationInstruction => ({ type: 'START_BEFORE_NODE', nodeID, ...more });
export const cancel = (nodeID: string, scopeID?: number): ModificationInstruction => ({
  type: 'CANCEL_TOKEN',
  nodeID,
  ...(scopeID !== undefined && { scope: scopeID }),
});

/** Modifies and expects it to be done. */
export function modify(host: MemoryHost, instance: MemoryInstance, ...instructions: ModificationInstruction[]) {
  const outcome = host.command(instance, { kind: 'MODIFY', instructions });
  expect(outcome).toMatchObject({ status: 'APPLIED' });
  return outcome;
}

/** Modifies and expects it to be refused, with nothing changed. */
export function refused(
  host: MemoryHost,
  instance: MemoryInstance,
  ...instructions: ModificationInstruction[]
): string[] {
  const before = host.facts(instance).length;
  const outcome = host.command(instance, { kind: 'MODIFY', instructions });
  expect(outcome).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  expect(
    host
      .facts(instance)
      .slice(before)
      .map(({ kind }) => kind),
  ).toEqual(['COMMAND_HANDLED']);
  return outcome.issues!;
}

/** Element instances of this node, oldest first. */
export const elements = (instance: MemoryInstance, node: string) =>
  Object.values(instance.state.elements).filter((element) => element.node === node);

export const twoJobs = simpleModel(
  [serviceTask('a'), serviceTask('b'), endEvent('e')],
  ['f1: s -> a', 'f2: a -> b', 'f3: b -> e'],
);
