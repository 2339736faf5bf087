/** Definitions of events. References are ids of root elements. */
import { element, escape } from './xml.js';

export interface CompensationOptions {
  /** The one activity to compensate (default: all of the scope). */
  readonly activity?: string;
  /** Whether the event waits until the handlers have completed (default true). */
  readonly waitForCompletion?: boolean;
}

export const on = {
  message: (ref: string) => element('messageEventDefinition', { messageRef: ref }),
  signal: (ref: string) => element('signalEventDefinition', { signalRef: ref }),
  /** @param ref without it, every error is caught */
  error: (ref?: string) => element('errorEventDefinition', { errorRef: ref }),
  /** @param ref without it, every escalation is caught */
  escalation: (ref?: string) => element('escalationEventDefinition', { escalationRef: ref }),
  /** @param duration ISO 8601 or FEEL: `PT1H`, `=patience` */
  timer: (duration: string) => timer('timeDuration', duration),
  date: (date: string) => timer('timeDate', date),
  /** @param cycle ISO 8601, cron or FEEL: `R3/PT1H`, `0 0 8 * * *` */
  cycle: (cycle: string) => timer('timeCycle', cycle),
  condition: (expression: string) =>
    element('conditionalEventDefinition', {}, element('condition', {}, escape(expression))),
  link: (name: string) => element('linkEventDefinition', { name }),
  compensation: ({ activity, waitForCompletion }: CompensationOptions = {}) =>
    element('compensateEventDefinition', { activityRef: activity, waitForCompletion }),
  cancel: element('cancelEventDefinition', {}),
  terminate: element('terminateEventDefinition', {}),
};

function timer(kind: 'timeDuration' | 'timeDate' | 'timeCycle', value: string): string {
  return element('timerEventDefinition', {}, element(kind, {}, escape(value)));
}
