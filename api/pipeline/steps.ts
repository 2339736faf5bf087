/** A request goes through a list of steps, in the order of the list. */
import type { OperationResult } from '../commands/operation.js';
import type { Problem } from '../contract/problem.js';

export type Response = OperationResult | Problem;

/** Takes what it needs from the state of a request and adds what it finds out. A response ends the request. */
export type Step<State, Host> = (state: State, host: Host) => Response | undefined | Promise<Response | undefined>;

/** @throws if a step throws, or if no step responds */
export async function takeSteps<State, Host>(
  steps: readonly Step<State, Host>[],
  state: State,
  host: Host,
): Promise<Response> {
  for (const step of steps) {
    const taken = step(state, host);
    // Most steps have nothing to wait for.
    const response = taken instanceof Promise ? await taken : taken;
    if (response !== undefined) return response;
  }
  throw new Error('No step of the request responded. The last one must.');
}
