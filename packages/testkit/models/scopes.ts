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
  /** The type of the job that drives it. */
  readonly job?: string;
  /** With a job: the variable that collects a value of each activation, and that value in FEEL. */
  readonly output?: { readonly collection: string; readonly element: string };
}

export function subProcess(id: string, elements: Xml, flows: Flows, options: ActivityOptions = {}): string {
  return activity('subProcess', { id }, options, { content: [elements, sequenceFlows(flows)] });
}

export function transaction(id: string, elements: Xml, flows: Flows, options: ActivityOptions = {}): string {
  return activity('transaction', { id }, options, { content: [elements, sequenceFlows(flows)] });
}

export function adHocSubProcess(id: string, elements: Xml, flows: Flows = [], options: AdHocOptions = {}): string {
  const { ordering, cancelRemainingInstances, until } = options;
  return activity('adHocSubProcess', { id, ordering, cancelRemainingInstances }, options, {
    own: adHocExtensions(options),
    content: [
      elements,
      sequenceFlows(flows),
      until === undefined ? '' : element('completionCondition', {}, escape(until)),
    ],
  });
}

function adHocExtensions({ activeElements: activeElementsCollection, job, output }: AdHocOptions): Xml {
  const attributes = {
    ...(activeElementsCollection !== undefined && { activeElementsCollection }),
    ...(output && { outputCollection: output.collection, outputElement: output.element }),
  };
  return [
    job === undefined ? '' : tag('zeebe:taskDefinition', { type: job }),
    Object.keys(attributes).length === 0 ? '' : tag('zeebe:adHoc', attributes),
  ];
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
