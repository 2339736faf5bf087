/** Sub-processes and what belongs to their borders. */
import { activity, type ActivityOptions } from './activities.js';
import { boundaryEvent } from './events.js';
import { on } from './event-definitions.js';
import { sequenceFlows, type Flows } from './flows.js';
import { element, escape, tag, type Xml } from './xml.js';

export interface AdHocOptions extends ActivityOptions {
  readonly ordering?: 'Parallel' | 'Sequential';
  readonly cancelRemainingInstances?: boolean;
  /** FEEL: the ids of the elements to begin with. */
  readonly activeElements?: string;
  /** The completion condition. */
  readonly until?: string;
}

export function subProcess(id: string, elements: Xml, flows: Flows, options: ActivityOptions = {}): string {
  return activity('subProcess', { id }, options, { content: [elements, sequenceFlows(flows)] });
}

export function transaction(id: string, elements: Xml, flows: Flows, options: ActivityOptions = {}): string {
  return activity('transaction', { id }, options, { content: [elements, sequenceFlows(flows)] });
}

export function adHocSubProcess(id: string, elements: Xml, flows: Flows = [], options: AdHocOptions = {}): string {
  const { ordering, cancelRemainingInstances, activeElements: activeElementsCollection, until } = options;
  return activity('adHocSubProcess', { id, ordering, cancelRemainingInstances }, options, {
    own: activeElementsCollection === undefined ? '' : tag('zeebe:adHoc', { activeElementsCollection }),
    content: [
      elements,
      sequenceFlows(flows),
      until === undefined ? '' : element('completionCondition', {}, escape(until)),
    ],
  });
}

/** A sub-process that the event of its start event begins. */
export function eventSubProcess(id: string, elements: Xml, flows: Flows, options: ActivityOptions = {}): string {
  return activity('subProcess', { id, triggeredByEvent: true }, options, {
    content: [elements, sequenceFlows(flows)],
  });
}

/** Makes `handler` the compensation handler of `compensated`: a boundary event with an association. */
export function compensatedBy(compensated: string, handler: string): string {
  const event = `undo_${compensated}`;
  const association = { id: `to_${handler}`, associationDirection: 'One', sourceRef: event, targetRef: handler };
  return `${boundaryEvent(event, compensated, on.compensation())}\n${element('association', association)}`;
}
