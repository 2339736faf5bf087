/** The FEEL expressions of a component that the host evaluates. */
import { lengthProblem } from '@perdure/feel/syntax/read.js';
import { isObject } from '@perdure/lib/model-files/json.js';

/** Limits of a field that can be expressions. */
export type LimitName = 'min' | 'max' | 'minLength' | 'maxLength';
const LIMITS: readonly LimitName[] = ['min', 'max', 'minLength', 'maxLength'];

export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('=');
}

/** Expressions that are too long to be evaluated: what each is, and the problem. */
export function tooLong({ conditional, validate }: Record<string, unknown>): string[] {
  const condition = isObject(conditional) ? [['condition', conditional['hide']] as const] : [];
  const limits = isObject(validate) ? LIMITS.map((name) => [`limit ${name}`, validate[name]] as const) : [];
  return [...condition, ...limits].flatMap(([what, text]) => {
    const problem = isExpression(text) ? lengthProblem(text.length - 1) : undefined;
    return problem === undefined ? [] : [`The ${what} ${problem}`];
  });
}
