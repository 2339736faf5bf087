/**
 * Rotation (Temporal: continue-as-new): the host continues the same instance in a new run with an empty history.
 * Rotations are counted, so that a process that never reaches a wait state ends at an incident. Resolving that incident
 * resets the count.
 */
import { record, type Run } from '../../run.js';
import { haltInstance, isHalted } from './halt.js';

/**
 * Allows one more rotation, or halts the instance at a RotationLimitError.
 * @param limit rotations allowed since the start, or since the limit was last lifted
 */
export function rotate(run: Run, limit: number): void {
  // A halted instance rotates only because of external commands, and its history must not overflow.
  if (run.state.rotations < limit || isHalted(run.state)) record(run, { kind: 'INSTANCE_ROTATED' });
  else {
    haltInstance(run, {
      errorType: 'RotationLimitError',
      message: `The instance has rotated ${limit} times, which is the limit. Check the process for a loop without an end; resolving this incident allows ${limit} more rotations.`,
    });
  }
}
