/**
 * Golden traces: what an instance did, in lines that people read. Element instances and waits are called A, B, C in order
 * of their appearance, so that a trace does not depend on their numbers.
 */
import type { Fact } from '@perdure/engine/contract/facts.js';

/** One step: what was asked for, and what followed. */
export interface TracedStep {
  /** `start`, `COMPLETE_JOB`, `time passes`. */
  stimulus: string;
  facts: Fact[];
}

/** Bookkeeping that says nothing about BPMN. */
const SILENT = new Set<Fact['kind']>([
  'COMMAND_HANDLED',
  'ELEMENT_BEGUN',
  'ELEMENT_CONTINUED',
  'ELEMENT_DATA_SET',
  'STATE_MEASURED',
]);

/** Grows with every build that changes behavior, which its own tests show. */
const UNTOLD = ['flags'];

/** Members that name an element instance, a wait or an incident. */
const NUMBERED = [
  'element',
  'scope',
  'job',
  'task',
  'timer',
  'child',
  'subscription',
  'condition',
  'decision',
  'incident',
  'previous',
  'by',
  'compensates',
];

/** The trace of one instance, one line per fact. */
export function trace(steps: readonly TracedStep[]): string {
  const letters = new Map<number, string>();
  const letter = (id: number): string => {
    if (!letters.has(id)) letters.set(id, nameOf(letters.size));
    return letters.get(id)!;
  };
  const lines = steps.flatMap(({ stimulus, facts }) => [
    `> ${stimulus}`,
    ...facts.filter(({ kind }) => !SILENT.has(kind)).map((fact) => `  ${line(fact, letter)}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function line(fact: Fact, letter: (id: number) => string): string {
  const { kind, ...members } = fact;
  const words = Object.entries(members)
    .filter(([name]) => !UNTOLD.includes(name))
    .map(([name, value]) => word(name, value, letter));
  return [kind.toLowerCase().replaceAll('_', ' ').padEnd(22), ...words].join(' ').trimEnd();
}

function word(name: string, value: unknown, letter: (id: number) => string): string {
  if (name === 'node') return String(value);
  if (NUMBERED.includes(name) && typeof value === 'number') return `${name}=${value === 0 ? '-' : letter(value)}`;
  if (name === 'due') return `due=${new Date(value as number).toISOString()}`;
  if (name === 'source') return `source=${(value as { path: string[] }).path.join('.')}`;
  return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** A to Z, then A1 to Z1. */
function nameOf(index: number): string {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round === 0 ? '' : round);
}
