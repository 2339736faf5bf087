/** Answers of a host that differ from those of Operaton on purpose. The guide for workers has the reasons. */
import type { Answer, TypedVariables } from './exchange.js';

export interface Difference {
  /** The text of the guide. */
  readonly guide: string;
  /** Status here, by `exchange: step`. */
  readonly here: Readonly<Record<string, number>>;
}

const of = (exchange: string, status: number, ...steps: string[]) =>
  Object.fromEntries(steps.map((step) => [`${exchange}: ${step}`, status]));

export const differences: readonly Difference[] = [
  {
    guide: 'always 400 for an invalid request',
    here: {
      ...of('fetching', 400, 'no worker', '-1 tasks', 'a lock of -1 ms', 'a lock of 0 ms', 'no lock'),
      ...of('fetching', 400, 'no name of a topic'),
      ...of('the task of another worker', 400, 'complete without a worker', 'failure without a worker'),
      ...of('the task of another worker', 400, 'bpmnError without a worker', 'extendLock without a worker'),
      ...of('an error that is caught', 400, 'without a code'),
      ...of('failing', 400, '-1 retries', 'a timeout of -1 ms'),
    },
  },
  {
    guide: 'asks for no tasks, or to wait for less than no time',
    here: of('fetching', 400, 'no topics', 'no list of topics', 'no number of tasks', '0 tasks', 'a wait of -1 ms'),
  },
  {
    guide: 'a filter of a topic',
    here: of('fetching', 400, 'with a filter that fits'),
  },
  {
    guide: 'an expired lock ends the right to complete or fail',
    here: {
      ...of('an expired lock', 400, 'failure', 'complete'),
      ...of('completing after a failure', 400, 'complete'),
    },
  },
  {
    guide: '`extendLock` without the lock',
    here: { ...of('the task of another worker', 404, 'extendLock'), ...of('an expired lock', 404, 'extendLock') },
  },
  {
    guide: 'a repeated completion with the same variables',
    here: { ...of('completing', 204, 'a second time'), ...of('an error that is caught', 204, 'a second time') },
  },
  {
    guide: 'a number with the type String',
    here: of('a number as String', 400, 'complete'),
  },
  {
    guide: 'variables of a failure',
    here: of('variables of a failure', 400, 'failure'),
  },
  {
    guide: '`all` and `resultEnabled` of a message',
    here: of('messages by other members', 400, 'to all', 'a result'),
  },
];

/** The answer to a step of the list. */
export function answerHere(status: number): Answer {
  return { status, ...(status >= 400 && { body: { message: 'string' } }) };
}

/** Tasks as a host has them: attempts are counted from the first fetch, errors are one text, and values are JSON. */
export function asHere({ status, body }: Answer): Answer {
  if (!Array.isArray(body)) return { status, ...(body !== undefined && { body }) };
  return { status, body: body.map((each) => (typeof each === 'string' ? each : taskHere(each))) };
}

function taskHere({ retries, errorMessage, errorDetails, variables, ...same }: any): unknown {
  return {
    ...same,
    retries: retries ?? 3,
    errorMessage: errorDetails ? `${errorMessage}\n\n${errorDetails}` : errorMessage,
    errorDetails: null,
    variables: asJson(variables),
  };
}

function asJson(variables: TypedVariables): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, { type, value }]) => [name, { ...typed(type, value), valueInfo: {} }]),
  );
}

function typed(type: string, value: unknown): { type: string; value: unknown } {
  if (value === null) return { type: 'Null', value };
  if (type === 'Date') return { type: 'String', value: new Date(isoOf(value as string)).toISOString() };
  if (type === 'Short' || (type === 'Double' && Number.isInteger(value))) return { type: 'Integer', value };
  return { type, value };
}

/** Of `2026-01-05T08:00:00.000+0000`. */
export function isoOf(date: string): string {
  return date.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}
