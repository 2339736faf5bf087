/** The dialogs of moves, as data: one for each action on an open wait, and for external events. */
import type { ChoiceInPlay, Move, Variables, WaitInPlay } from '@perdure/testkit/browser';

/** The values of a form: texts by field, and variables. */
export interface MoveValues {
  text: Readonly<Record<string, string>>;
  variables: Record<string, unknown>;
  /** Which of the choices, from 1. */
  nth: number;
}

interface MoveField {
  name: string;
  label: string;
  hint?: string;
  initial?: string;
  isOptional?: boolean;
  /** Whether the value is JSON, such as a correlation key. */
  isJson?: boolean;
}

export interface MoveForm {
  title: string;
  submitLabel: string;
  isDangerous?: boolean;
  fields?: readonly MoveField[];
  /** Purpose of the variables; absent if the move has none. */
  variables?: string;
  /** The waits between which the user chooses. */
  choices?: readonly ChoiceInPlay[] | undefined;
  toMove(values: MoveValues): Move;
}

type OfKind<Kind extends WaitInPlay['kind']> = Extract<WaitInPlay, { kind: Kind }>;

const code: MoveField = {
  name: 'code',
  label: 'Error code',
  hint: 'An error event that catches this code takes over.',
};

/** `in`: the call activity of a wait in a called process. */
function placeOf({ node, in: call }: WaitInPlay, { nth }: MoveValues): { node: string; in?: string; nth?: number } {
  return { node, ...(call !== undefined && { in: call }), ...(nth > 1 && { nth }) };
}

export function completeJob(wait: OfKind<'job'>, name: string): MoveForm {
  return {
    title: `Complete the job of ${name}`,
    submitLabel: 'Complete',
    variables: 'Variables that the job worker returns.',
    choices: wait.choices,
    toMove: (values) => ({ completeJob: { ...placeOf(wait, values), ...given(values.variables) } }),
  };
}

export function failJob(wait: OfKind<'job'>, name: string): MoveForm {
  return {
    title: `Fail the job of ${name}`,
    submitLabel: 'Fail',
    isDangerous: true,
    fields: [
      {
        name: 'message',
        label: 'Message',
        hint: `Attempts left: ${wait.attempts}. After the last one the error goes to the model.`,
        isOptional: true,
      },
    ],
    choices: wait.choices,
    toMove: (values) => ({
      failJob: { ...placeOf(wait, values), ...(values.text['message'] && { message: values.text['message'] }) },
    }),
  };
}

export function completeTask(wait: OfKind<'userTask'>, name: string): MoveForm {
  return {
    title: `Complete ${name}`,
    submitLabel: 'Complete',
    variables: 'Variables to return.',
    choices: wait.choices,
    toMove: (values) => ({ completeTask: { ...placeOf(wait, values), ...given(values.variables) } }),
  };
}

export function throwError(wait: OfKind<'job' | 'userTask'>, name: string): MoveForm {
  return {
    title: `Throw an error at ${name}`,
    submitLabel: 'Throw',
    isDangerous: true,
    fields: [code],
    variables: 'Given to the error event that catches the code.',
    choices: wait.choices,
    toMove: (values) => ({
      throwError: { ...placeOf(wait, values), code: values.text['code']!, ...given(values.variables) },
    }),
  };
}

export function publish({ name, correlation }: OfKind<'message'>): MoveForm {
  return publishing(name, correlation === undefined ? '' : JSON.stringify(correlation));
}

export const publishAny = publishing('', '');

function publishing(name: string, correlation: string): MoveForm {
  return {
    title: 'Publish a message',
    submitLabel: 'Publish',
    fields: [
      { name: 'message', label: 'Name', initial: name },
      {
        name: 'correlation',
        label: 'Correlation key',
        hint: 'As JSON: "order-17", 17, or nothing.',
        initial: correlation,
        isOptional: true,
        isJson: true,
      },
    ],
    variables: 'Variables of the message.',
    toMove: ({ text: { message = '', correlation: key = '' }, variables }) => ({
      publish: { message, ...(key !== '' && { correlation: JSON.parse(key) }), ...given(variables) },
    }),
  };
}

export function broadcast({ name }: OfKind<'signal'>): MoveForm {
  return broadcasting(name);
}

export const broadcastAny = broadcasting('');

function broadcasting(signal: string): MoveForm {
  return {
    title: 'Broadcast a signal',
    submitLabel: 'Broadcast',
    fields: [{ name: 'name', label: 'Name', initial: signal }],
    variables: 'Variables of the signal.',
    toMove: ({ text: { name = '' }, variables }) => ({ signal: { name, ...given(variables) } }),
  };
}

export const setAny: MoveForm = {
  title: 'Set variables',
  submitLabel: 'Set variables',
  variables: 'Those named here get these values in the process under test; the others keep theirs.',
  toMove: ({ variables }) => ({ setVariables: asVariables(variables) }),
};

export function answerCall(wait: OfKind<'call'>, name: string): MoveForm {
  return {
    title: `Answer the call of ${name}`,
    submitLabel: 'Answer',
    fields: [
      { ...code, isOptional: true, hint: 'Ends the call with this error. Empty: the called process completes.' },
    ],
    variables: `Variables that ${wait.calledID === undefined ? 'it' : `the process ${wait.calledID}`} returns.`,
    choices: wait.choices,
    toMove: (values) => ({
      call: {
        ...placeOf(wait, values),
        ...(values.text['code'] && { error: values.text['code'] }),
        ...given(values.variables),
      },
    }),
  };
}

export function resolve(wait: OfKind<'incident'>, name: string): MoveForm {
  return {
    title: `Resolve the incident at ${name}`,
    submitLabel: 'Resolve',
    variables: 'Variables to set first.',
    choices: wait.choices,
    toMove: (values) => ({ resolve: { ...placeOf(wait, values), ...given(values.variables) } }),
  };
}

/** The member of a move; absent without variables. */
export function given(variables: Record<string, unknown>): { variables?: Variables } {
  return Object.keys(variables).length === 0 ? {} : { variables: asVariables(variables) };
}

/** Editors and forms return parsed JSON. */
function asVariables(variables: Record<string, unknown>): Variables {
  return variables as Variables;
}
