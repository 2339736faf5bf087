/** Ranges (DMN 1.5 section 10.3.2.7): from a start to an end, or everything on one side of an endpoint. */
import type { Span } from '../errors.js';
import { orderOf } from './order.js';
import type { Run } from '../run.js';
import type { ComparisonOperator } from '../tree.js';
import { describeType, FeelObject, type FeelValue } from './values.js';

export class FeelRange extends FeelObject {
  readonly type = 'range';

  constructor(
    /** `null` if that side is unbounded. */
    readonly start: FeelValue,
    readonly end: FeelValue,
    readonly startIncluded: boolean,
    readonly endIncluded: boolean,
    /**
     * Its notation, if it was written as `< 5`, `= 5` and so on: such a range equals only ranges in the same notation.
     */
    readonly operator?: ComparisonOperator,
  ) {
    super();
  }
}

/** `[start..end]`; null endpoints are unbounded. The endpoints must be in order (DMN 1.5 section 10.3.2.7). */
export function createRange(
  run: Run,
  at: Span,
  start: FeelValue,
  end: FeelValue,
  startIncluded: boolean,
  endIncluded: boolean,
): FeelRange | null {
  if (start !== null && end !== null) {
    const order = orderOf(start, end);
    if (order === undefined)
      return run.fail(at, 'TYPE_MISMATCH', `A range cannot go from ${describeType(start)} to ${describeType(end)}.`);
    if (order !== 'zones' && order > 0)
      return run.fail(at, 'INVALID_ARGUMENT', 'The start of a range is after its end. Exchange them.');
  }
  return new FeelRange(start, end, startIncluded && start !== null, endIncluded && end !== null);
}

/** Notations such as `< 5`. */
export function unaryRange(run: Run, at: Span, operator: ComparisonOperator, endpoint: FeelValue): FeelRange | null {
  switch (operator) {
    case '<':
    case '<=':
      return endpoint === null
        ? openOnBothSides(run, at)
        : new FeelRange(null, endpoint, false, operator === '<=', operator);
    case '>':
    case '>=':
      return endpoint === null
        ? openOnBothSides(run, at)
        : new FeelRange(endpoint, null, operator === '>=', false, operator);
    default:
      return new FeelRange(endpoint, endpoint, true, true, operator);
  }
}

function openOnBothSides(run: Run, at: Span): null {
  return run.fail(at, 'TYPE_MISMATCH', 'A comparison with null has no meaning.');
}
