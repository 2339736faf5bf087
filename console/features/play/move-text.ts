/** A move in words. */
import type { Move } from '@perdure/testkit/browser';

/** @param nameOf the name of a node, or its id */
export function moveText(move: Move, nameOf: (nodeID: string) => string): string {
  if ('start' in move) return 'Started the process';
  const at = (place: { node?: string; type?: string }) => (place.node === undefined ? place.type! : nameOf(place.node));
  if (move.completeJob) return `Completed the job of ${at(move.completeJob)}`;
  if (move.failJob) return `Failed the job of ${at(move.failJob)}`;
  if (move.throwError) return `Threw ${move.throwError.code} at ${at(move.throwError)}`;
  if (move.completeTask) return `Completed ${at(move.completeTask)}`;
  if (move.publish) return `Published the message ${move.publish.message}`;
  if (move.signal) return `Broadcast the signal ${move.signal.name}`;
  if (move.advance) return move.advance === 'next timer' ? 'Advanced to the next timer' : `Advanced by ${move.advance}`;
  if (move.call) return `Answered the call of ${at(move.call)}`;
  if (move.triggerAdHoc) return `Started ${nameOf(move.triggerAdHoc.activity)} in ${at(move.triggerAdHoc)}`;
  if (move.resolve) return `Resolved the incident at ${at(move.resolve)}`;
  return 'Set variables';
}
