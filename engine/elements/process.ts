/** The process itself: the outermost scope. */
import { cancelInside } from '../behaviors/activation.js';
import { enterScope } from '../behaviors/scopes.js';
import { cancelWait } from '../behaviors/waits.js';
import type { NodeBase } from '../graph.js';
import { record, waitsOf } from '../run.js';
import type { ElementBehavior } from './element.js';

export interface ProcessNode extends NodeBase {
  kind: 'process';
  /** Its none start event; absent when it only starts by message, timer, signal or condition. */
  start?: string;
}

export const process: ElementBehavior<ProcessNode> = {
  compile: () => ({}),
  enter(run, element, node) {
    if (node.start === undefined) throw new Error(`Process ${node.id} has no none start event; its instances start at a named start event`);
    enterScope(run, element, node.start);
  },
  insideDone(run, element) {
    cancelInside(run, element, 'the process has completed');
    for (const wait of waitsOf(run, element.id)) cancelWait(run, wait, 'the process has completed');
    if (element.incident !== undefined) record(run, { kind: 'INCIDENT_WITHDRAWN', incident: element.incident });
    record(run, { kind: 'ELEMENT_COMPLETED', element: element.id });
    record(run, { kind: 'INSTANCE_COMPLETED' });
  },
};
