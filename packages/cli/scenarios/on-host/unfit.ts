/** Scenarios that would not do on a host what they do in memory. */
import type { Bundle, Scenario } from '@perdure/testkit';

const CLOCK = new Set(['now', 'today']);

/** @returns why the scenario cannot run on a host; undefined if it can */
export function unfitReason({ start, steps }: Scenario, { processes, decisions }: Bundle): string | undefined {
  if (!start) return 'a message or a signal starts it, and tests of drafts have no start events that wait';
  if (start.startAt) return 'it begins at a node, and tests of drafts begin at their start event';
  if (steps.some(({ call }) => call)) return 'it answers a call, and a host calls the deployed process';
  const graphs = processes.map(({ graph }) => graph);
  if (anywhere([graphs, decisions.models], readsClock)) return 'an expression reads now() or today()';
  if (anywhere(graphs, isAtDate)) return 'a timer is due at a date, and a host has its own date';
  return undefined;
}

/** @returns the nodes whose timers tick again after each tick */
export function cyclesIn({ processes }: Bundle): ReadonlySet<string> {
  return new Set(
    processes.flatMap(({ graph }) => graph.nodes.flatMap((node) => (anywhere(node, isCycle) ? [node.id] : []))),
  );
}

type Found = { readonly [name: string]: unknown };

function anywhere(value: unknown, is: (found: Found) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return is(value as Found) || Object.values(value).some((member) => anywhere(member, is));
}

function readsClock({ kind, name, builtin }: Found): boolean {
  return kind === 'name' && builtin === true && CLOCK.has(name as string);
}

function isCycle({ kind, at }: Found): boolean {
  return kind === 'timer' && at === 'cycle';
}

/** Dates, cron expressions, and cycles with a start. */
function isAtDate(found: Found): boolean {
  if (found['kind'] !== 'timer') return false;
  if (found['at'] === 'date') return true;
  const { literal } = found['expression'] as { literal?: unknown };
  return isCycle(found) && typeof literal === 'string' && !/^\s*R\d*\/P/i.test(literal);
}
