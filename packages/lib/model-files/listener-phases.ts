/** Which elements have execution listeners at their start and at their end, as Camunda 8 documents it. */

const EVENTS = ['start', 'end'] as const;
export type ListenerPhase = (typeof EVENTS)[number];
export const LISTENER_PHASES: readonly ListenerPhase[] = EVENTS;

/** An element of a model, as far as its listeners depend on it. */
export interface ListenedElement {
  /** Local name: `serviceTask`. */
  readonly type: string;
  /** Local names of its event definitions. */
  readonly definitions: readonly string[];
  /** Whether it is a gateway that starts instances. */
  readonly instantiates: boolean;
}

/** Where to put a listener that would never run, by its phase. */
type Missing = { readonly [phase in ListenerPhase]?: string };

const ACTIVITY = /^task$|Task$|ubProcess$|^transaction$|^callActivity$/;
const OTHERS = /^process$|Event$|Gateway$/;

const AFTER = 'put it at the start of the element after the gateway';
const AT_HANDLER = 'put it at the compensation handler';

const MISSING: { readonly [type: string]: Missing } = {
  startEvent: { start: 'put it at the start of the process or sub-process around the event' },
  boundaryEvent: { start: 'put it at the start of the activity that the event is attached to' },
  exclusiveGateway: { end: AFTER },
  inclusiveGateway: { end: AFTER },
  parallelGateway: { end: AFTER },
  eventBasedGateway: { end: AFTER },
  complexGateway: { start: 'put it at an element before the gateway', end: AFTER },
};

/** By type and event definition. */
const MISSING_OF_EVENTS: { readonly [event: string]: Missing } = {
  'boundaryEvent compensateEventDefinition': { start: AT_HANDLER, end: AT_HANDLER },
  'endEvent errorEventDefinition': { end: 'put it at the event that catches the error' },
  'endEvent cancelEventDefinition': { end: 'put it at the cancel boundary event of the transaction' },
  'intermediateThrowEvent linkEventDefinition': { end: 'put it at the event that catches the link' },
};

/** Whether elements of this type can have execution listeners at all. */
export function hasListeners(type: string): boolean {
  return ACTIVITY.test(type) || OTHERS.test(type);
}

/** Where to put a listener of this phase instead; undefined if the element has it. */
export function insteadOfListener(
  { type, definitions, instantiates }: ListenedElement,
  phase: ListenerPhase,
): string | undefined {
  if (type === 'eventBasedGateway' && instantiates && phase === 'start')
    return 'put it at the start of the process: the instance starts after the gateway';
  for (const definition of definitions) {
    const missing = MISSING_OF_EVENTS[`${type} ${definition}`];
    if (missing) return missing[phase];
  }
  return MISSING[type]?.[phase];
}
