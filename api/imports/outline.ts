/** Reads the body of an import, and takes out of it what the event loop needs to know. */
import type { z } from 'zod';
import { textOf, verifyStorableJson } from '@perdure/lib/storable-json.js';
import { check, unstorable, type Checked } from '../http/request/check.js';
import { importInstanceRequest, MAX_INSTANCES, type GivenInstance } from './schemas.js';

/** A version of a process, as an instance names it. */
export type AskedVersion = Pick<GivenInstance, 'definitionID' | 'processId' | 'version'>;

export interface ImportOutline {
  readonly source: GivenInstance['source'];
  readonly businessId?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly reason?: string | undefined;
  /** Of the variables of the process. */
  readonly names: readonly string[];
  /** Of the instance and of all that it calls: each version once, that of the instance first. */
  readonly versions: readonly AskedVersion[];
}

/** An outline with the checked body that it belongs to, which only threads read. */
export interface ImportBody extends ImportOutline {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The schema of the body. The handler gets an outline of it. */
export const importBody = importInstanceRequest as unknown as z.ZodType<ImportBody>;

export interface OutlinedImport {
  readonly read: Checked<ImportOutline>;
  readonly values: number;
}

/** @returns `given`: the checked body, if it is valid */
export function outlineImport(bytes: Uint8Array): OutlinedImport & { given?: GivenRequest } {
  const verified = verifyStorableJson(bytes);
  if (!verified.ok) return { read: unstorable(verified), values: 0 };
  const { values } = verified;
  const read = check(importInstanceRequest, JSON.parse(textOf(bytes)), 'body');
  if (read.kind === 'problem') return { read, values };
  const given = read.value as GivenRequest;
  return { read: { kind: 'valid', value: outlineOf(given) }, values, given };
}

export type GivenRequest = z.output<typeof importInstanceRequest>;

function outlineOf(given: GivenRequest): ImportOutline {
  const { source, businessId, dryRun, reason, variables } = given;
  return { source, businessId, dryRun, reason, names: Object.keys(variables), versions: versionsOf(given) };
}

/** Of a tree with too many instances, only the first ones: it is refused. */
function versionsOf(root: GivenInstance): AskedVersion[] {
  const versions = new Map<string, AskedVersion>();
  const next = [root];
  for (let count = 0; next.length > 0 && count < MAX_INSTANCES; count += 1) {
    const { definitionID, processId, version, called = [] } = next.pop()!;
    const asked = { definitionID, processId, version };
    versions.set(keyOfVersion(asked), asked);
    for (const { instance } of called) next.push(instance);
  }
  return [...versions.values()];
}

export function keyOfVersion({ definitionID, processId, version }: AskedVersion): string {
  return JSON.stringify(definitionID === undefined ? [processId, version] : [definitionID]);
}
