import { MAX_TARGETS } from '../../../../store/batches/create.js';
import { problem, type Problem } from '../../../contract/problem.js';

export function tooMany(total: number): Problem<'BAD_REQUEST'> {
  return problem(
    'BAD_REQUEST',
    `The filter matches ${total} targets, but a batch can have at most ${MAX_TARGETS}. Narrow the filter, for example with createdBefore.`,
  );
}
