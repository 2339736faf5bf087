/**
 * The work on expressions of hooks that a thread does: reading the content of a delivery and evaluating it takes up to
 * a second, and checking expressions a tenth of one.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { readContent, readPairs, type Content } from './content.js';
import { compileExpressions, type ExpressionProblem, type ExpressionTexts, type Expressions } from './expressions.js';
import { evaluateMessage, type EvaluatedHook } from './message.js';

export interface DeliveryWork {
  readonly kind: 'evaluate';
  readonly texts: ExpressionTexts;
  readonly content: Content | undefined;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The query, without its question mark. */
  readonly search: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface CheckWork {
  readonly kind: 'check';
  readonly texts: ExpressionTexts;
}

export type HookWork = DeliveryWork | CheckWork;

/** Bytes instead of values: the event loop only has to read JSON whose values are limited. */
export interface HookWorkDone {
  /** The JSON of an `EvaluatedHook`, or of a list of `ExpressionProblem`. */
  readonly json: Uint8Array<ArrayBuffer>;
}

export function performHookWork(work: HookWork): HookWorkDone {
  const done = work.kind === 'check' ? problemsOf(work.texts) : evaluate(work);
  return { json: new Uint8Array(Buffer.from(JSON.stringify(done))) };
}

function evaluate({ texts, content, bytes, headers, search, now }: DeliveryWork): EvaluatedHook {
  const body = readContent(content, bytes);
  if (!body.ok) return { kind: 'failed', problem: body.problem };
  const query = readPairs(search, 'The query');
  if (!query.ok) return { kind: 'failed', problem: query.problem };
  const expressions = compiled(texts);
  if (expressions === undefined) return { kind: 'failed', problem: 'This build cannot read the expressions' };
  return evaluateMessage(expressions, { body: body.value, headers, query: query.value }, now);
}

const MAX_COMPILED = 200;
const known = new BoundedCache<string, { readonly expressions: Expressions | undefined }>({ entries: MAX_COMPILED });

/** Undefined if this build cannot read them. */
function compiled(texts: ExpressionTexts): Expressions | undefined {
  const key = JSON.stringify(texts);
  let found = known.get(key);
  if (found === undefined) {
    const result = compileExpressions(texts);
    known.set(key, (found = { expressions: result.ok ? result.expressions : undefined }));
  }
  return found.expressions;
}

function problemsOf(texts: ExpressionTexts): ExpressionProblem[] {
  const result = compileExpressions(texts);
  return result.ok ? [] : result.problems;
}
