/**
 * Due date, follow-up date, and priority of user tasks, evaluated once, when the task is created. The extension elements
 * are those of Camunda 8; BPMN itself has none.
 */
import { failed, type Result } from '../../failure.js';
import { value } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Compiler, SourceElement } from '../../model/source.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { addDuration, EARLIEST_INSTANT, LATEST_INSTANT, parseDuration, parseInstant } from '../../time/iso8601.js';
import { instantOfFeel } from '../../time/zoned.js';

export interface TaskSchedule {
  dueDate?: Expression;
  followUpDate?: Expression;
  priority?: Expression;
}

/** The dates in epoch milliseconds; a member without a value is absent. */
interface Scheduled {
  dueDate?: number;
  followUpDate?: number;
  priority?: number;
}

const MAX_PRIORITY = 100;

export type ScheduleMember = keyof TaskSchedule;

interface MemberRule {
  extension: 'taskSchedule' | 'priorityDefinition';
  what: string;
  expected: string;
  /** The value as stored, or undefined if it is not valid. @param now epoch milliseconds */
  read: (given: unknown, now: number) => number | undefined;
}

const DATE =
  'a date and time with a zone, such as 2026-01-31T09:00:00Z, or an ISO 8601 duration from the creation of the task, such as P3D, and lie in the years 1 to 9999';

const RULES: Readonly<Record<ScheduleMember, MemberRule>> = {
  dueDate: { extension: 'taskSchedule', what: 'due date', expected: DATE, read: readDate },
  followUpDate: { extension: 'taskSchedule', what: 'follow-up date', expected: DATE, read: readDate },
  priority: {
    extension: 'priorityDefinition',
    what: 'priority',
    expected: `a whole number from 0 to ${MAX_PRIORITY}`,
    read: readPriority,
  },
};

const MEMBERS = Object.keys(RULES) as ScheduleMember[];

/** Reads `taskSchedule` and `priorityDefinition`. */
export function compileSchedule(source: SourceElement, compiler: Compiler): TaskSchedule {
  const schedule: TaskSchedule = {};
  for (const member of MEMBERS) {
    const { extension, what, expected, read } = RULES[member];
    const given = source.extension(extension)?.attribute(member);
    if (!given) continue;
    const expression = compiler.expression(source, given, what);
    // Whether a literal is valid does not depend on the time.
    if ('literal' in expression && expression.literal !== null && read(expression.literal, 0) === undefined)
      compiler.problem(
        'error',
        source,
        `The ${what} of ${source.id} must be ${expected}, but is ${JSON.stringify(given)}`,
      );
    schedule[member] = expression;
  }
  return schedule;
}

/** Evaluates the schedule of a task that is created now. A value that is neither valid nor null is a failure. */
export function evaluateSchedule(run: Run, element: ElementInstance, schedule: TaskSchedule): Result<Scheduled> {
  const scheduled: Scheduled = {};
  for (const member of MEMBERS) {
    const expression = schedule[member];
    if (!expression) continue;
    const { what, expected, read } = RULES[member];
    const found = value(run, element, expression, what);
    if (!found.ok) return found;
    if (found.value === null) continue;
    const valid = read(found.value, run.now);
    if (valid === undefined)
      return failed({ errorType: 'FeelError', errorCode: 'TYPE_MISMATCH', message: `The ${what} must be ${expected}` });
    scheduled[member] = valid;
  }
  return { ok: true, value: scheduled };
}

/** A value that a listener gives, as stored; or which values the member can have. @param now epoch milliseconds */
export function readScheduled(member: ScheduleMember, given: unknown, now: number): number | string {
  const { what, expected, read } = RULES[member];
  return read(given, now) ?? `${what} must be ${expected}`;
}

function readDate(given: unknown, now: number): number | undefined {
  if (typeof given !== 'string') return undefined;
  const duration = parseDuration(given);
  const instant = duration ? addDuration(now, duration) : (parseInstant(given) ?? instantOfFeel(given));
  const isPossible = instant !== undefined && instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT;
  return isPossible ? instant : undefined;
}

/** An attribute is text; an expression can also return a number. */
function readPriority(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : given;
  const isValid = typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= MAX_PRIORITY;
  return isValid ? number : undefined;
}
