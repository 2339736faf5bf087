/**
 * Rotation: the host goes on with the same instance in a new run with an empty history. It is counted, so that a
 * process that never comes to rest ends at an incident; resolving that incident begins the count again.
 */
import { record, type Run } from '../run.js';
import { hold, isHeld } from './hold.js';

/**
 * Allows one more rotation, or holds the instance at a RotationLimitError.
 * @param limit rotations allowed since the start, or since the limit was last lifted
 */
export function rotate(run: Run, limit: number): void {
  // An instance that is held already does not come here by its own doing; its history must not overflow.
  if (run.state.rotations < limit || isHeld(run.state)) record(run, { kind: 'INSTANCE_ROTATED' });
  else {
    hold(run, {
      errorType: 'RotationLimitError',
      message: `The instance has rotated ${limit} times, which is as often as is allowed; resolving this incident allows ${limit} more`,
    });
  }
}
