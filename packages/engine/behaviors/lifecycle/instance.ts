/** The start of an instance. */
import type { StartInput } from '../../contract/commands.js';
import type { Json } from '../../contract/json.js';
import { record, type Run } from '../../run.js';
import { ROOT, type ElementInstance } from '../../state/state.js';
import { begin } from './activation.js';
import { setLocal } from '../data/variables.js';

export function startInstance(run: Run, start: StartInput): void {
  begin(run, recordStart(run, start), start.payload);
}

/** Creates the process element with its variables. Nothing has started yet. */
export function recordStart(run: Run, start: StartInput): ElementInstance {
  const { variables, parent, caughtErrors, caughtEscalations, depth, flags, startNode, startTrigger, startAt } = start;
  const { keyProblem, lastCommand } = start;
  record(run, {
    kind: 'INSTANCE_STARTED',
    ...(parent && { parent }),
    ...(caughtErrors && caughtErrors.length > 0 && { caughtErrors }),
    ...(caughtEscalations && caughtEscalations.length > 0 && { caughtEscalations }),
    ...(depth !== undefined && { depth }),
    ...(flags && flags.length > 0 && { flags }),
    ...(lastCommand !== undefined && { lastCommand }),
  });
  record(run, { kind: 'ELEMENT_ACTIVATED', element: ROOT, node: run.model.root.id, scope: 0 });
  const root = run.state.elements[ROOT]!;
  setLocal(run, root, variables);
  if (startAt !== undefined)
    record(run, { kind: 'ELEMENT_DATA_SET', element: ROOT, data: { startAt: startAt as unknown as Json } });
  if (startNode !== undefined) {
    record(run, {
      kind: 'ELEMENT_DATA_SET',
      element: ROOT,
      data: {
        startNode,
        ...(startTrigger !== undefined && { startTrigger }),
        ...(keyProblem !== undefined && { keyProblem }),
      },
    });
  }
  return root;
}
