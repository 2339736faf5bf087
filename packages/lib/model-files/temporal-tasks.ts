/**
 * Job types that the role `connectors` performs as activities, workflows, and Nexus operations on Temporal, and their task
 * headers. The compiler checks what a model writes, and the connectors what an expression returns.
 */
import { parseDuration } from '../duration.js';

export const TEMPORAL_TASK_PREFIX = 'temporal:';

export const temporalTaskTypes = ['temporal:activity', 'temporal:workflow', 'temporal:nexus'] as const;
export type TemporalTaskType = (typeof temporalTaskTypes)[number];

export function isTemporalTaskType(type: string): type is TemporalTaskType {
  return (temporalTaskTypes as readonly string[]).includes(type);
}

/** `name`: of something at Temporal. `names`: separated by commas. */
export type HeaderKind = 'name' | 'names' | 'prefix' | 'duration' | 'count';

interface HeaderRule {
  readonly kind: HeaderKind;
  readonly isRequired?: true;
}

const REQUIRED_NAME: HeaderRule = { kind: 'name', isRequired: true };

/** Headers that are literal or FEEL, by type. */
export const temporalTaskHeaders: Readonly<Record<TemporalTaskType, Readonly<Record<string, HeaderRule>>>> = {
  'temporal:activity': {
    activity: REQUIRED_NAME,
    taskQueue: REQUIRED_NAME,
    startToCloseTimeout: { kind: 'duration' },
    scheduleToCloseTimeout: { kind: 'duration' },
    heartbeatTimeout: { kind: 'duration' },
    maximumAttempts: { kind: 'count' },
    nonRetryableErrorTypes: { kind: 'names' },
  },
  'temporal:workflow': {
    workflow: REQUIRED_NAME,
    taskQueue: REQUIRED_NAME,
    workflowExecutionTimeout: { kind: 'duration' },
    workflowIdPrefix: { kind: 'prefix' },
  },
  'temporal:nexus': {
    endpoint: REQUIRED_NAME,
    service: REQUIRED_NAME,
    operation: REQUIRED_NAME,
    scheduleToCloseTimeout: { kind: 'duration' },
  },
};

/** Headers about the end of the execution, of all types. */
export const RESULT_VARIABLE = 'resultVariable';
export const expressionHeaders = ['resultExpression', 'errorExpression'] as const;

const MAX_NAME_LENGTH = 255;
const MAX_PREFIX_LENGTH = 100;
const MAX_DURATION_MS = 10 * 366 * 24 * 3_600_000;

/** The rule that the text of a header breaks; undefined if it breaks none. */
export function headerProblem(kind: HeaderKind, text: string): string | undefined {
  switch (kind) {
    case 'name':
      return isName(text)
        ? undefined
        : `must be a text of 1 to ${MAX_NAME_LENGTH} characters without blanks at its ends`;
    case 'names':
      return text.split(',').every((name) => isName(name.trim()))
        ? undefined
        : `must be names of 1 to ${MAX_NAME_LENGTH} characters, separated by commas`;
    case 'prefix':
      return text.length <= MAX_PREFIX_LENGTH ? undefined : `must have at most ${MAX_PREFIX_LENGTH} characters`;
    case 'duration':
      return isDuration(text) ? undefined : 'must be a duration of 1 ms to ten years, such as PT10M';
    case 'count':
      return /^[1-9]\d{0,5}$/.test(text) ? undefined : 'must be a whole number from 1 to 999999';
  }
}

function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_LENGTH && text.trim() === text;
}

function isDuration(text: string): boolean {
  const milliseconds = parseDuration(text);
  return milliseconds !== undefined && milliseconds >= 1 && milliseconds <= MAX_DURATION_MS;
}
