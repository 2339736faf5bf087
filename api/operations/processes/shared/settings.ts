/** Settings of a process as the API shows and takes them. */
import type { z } from 'zod';
import type { KeyTree } from '@perdure/engine/concurrency-key.js';
import { isShallow } from '@perdure/feel/depth.js';
import { parseFeel } from '@perdure/feel/parse.js';
import type { ProcessSettings } from '../../../../store/processes/settings.js';
import { optional } from '../../../contract/wire.js';
import { unknownFunctions, unreadableLiterals } from '../../../search/predicate.js';
import type { processSettings, putProcessSettingsRequest } from './schemas.js';

export function toSettings({
  uniqueBusinessID,
  concurrentInstances,
  concurrencyKey,
  whenFull,
  maxQueued,
}: ProcessSettings): z.output<typeof processSettings> {
  return {
    uniqueBusinessId: uniqueBusinessID,
    concurrentInstances: optional(concurrentInstances),
    concurrencyKey: optional(concurrencyKey),
    whenFull,
    maxQueued,
  };
}

export function fromSettings({
  uniqueBusinessId,
  concurrentInstances,
  concurrencyKey,
  whenFull,
  maxQueued,
}: z.output<typeof putProcessSettingsRequest>): ProcessSettings {
  return {
    uniqueBusinessID: uniqueBusinessId,
    concurrentInstances: concurrentInstances ?? null,
    concurrencyKey: concurrencyKey ?? null,
    whenFull,
    maxQueued,
  };
}

/** The parsed expression, or its first problem. */
export function compileKey(text: string | undefined): { tree: KeyTree | null } | { problem: string } {
  if (text === undefined) return { tree: null };
  // A space keeps the positions of everything behind the sign.
  const parsed = parseFeel(text.replace(/^(\s*)=/, '$1 '));
  const mistakes = parsed.ok ? [...unknownFunctions(parsed), ...unreadableLiterals(parsed)] : parsed.errors;
  const [mistake] = mistakes;
  if (mistake) return { problem: `line ${mistake.line}, column ${mistake.column}: ${mistake.message}` };
  if (!parsed.ok || !isShallow(parsed.tree)) return { problem: 'is nested too deeply' };
  return { tree: parsed.tree };
}
