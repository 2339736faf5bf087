import type { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { Recorder } from './recorder.js';

/** Keeps what happens to every instance of the host from now on, by workflow id. */
export function recordAll(host: MemoryHost): ReadonlyMap<string, Recorder> {
  const recorders = new Map<string, Recorder>();
  host.onStep = ({ workflowID, model }, input, result) => {
    let recorder = recorders.get(workflowID);
    if (!recorder) {
      recorder = new Recorder(workflowID, model);
      recorders.set(workflowID, recorder);
    }
    recorder.note(input, result);
  };
  return recorders;
}
