/**
 * Notes which parks tell of what began long before them, so that one page of an instance's history or timeline finds them
 * without reading what lies between. The first parks are read as they are: most instances have no others.
 */
import type { Fact, FactOf } from '../engine/facts.js';
import type { Park } from '../engine/park.js';
import { ROOT } from '../engine/state.js';
import type { Part } from './park-statement.js';

/** Parks up to this number are noted only for the subjects below. */
export const NEAR_PARKS = 256;

/** Subjects that are no element instance. */
export const MIGRATIONS = 0;
export const UNCAUGHT_ESCALATIONS = -1;

/** Undefined when there is nothing to note. */
export function farParkPart({ number, facts }: Park): Part | undefined {
  const subjects = farSubjects(number, facts);
  if (subjects.size === 0) return undefined;
  return {
    name: 'far_parks',
    sql: (place) => `
      INSERT INTO far_parks (workflow_id, subject, park, times)
      SELECT w.workflow_id, f.subject, $2, f.times FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::integer[]) AS f(subject, times)`,
    values: [[...subjects.keys()], [...subjects.values()]],
  };
}

/** With how often they occur. */
function farSubjects(number: number, facts: readonly Fact[]): Map<number, number> {
  const begun = new Set(facts.filter(isEntry).map(({ element }) => element));
  const subjects = new Map<number, number>();
  for (const fact of facts) {
    const subject = subjectOf(fact);
    if (subject === undefined || subject === ROOT || begun.has(subject)) continue;
    if (subject <= MIGRATIONS || number > NEAR_PARKS) subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  return subjects;
}

/** What the fact says something about that stands in the history or the timeline. */
function subjectOf(fact: Fact): number | undefined {
  switch (fact.kind) {
    case 'INSTANCE_MIGRATED':
      return MIGRATIONS;
    case 'ESCALATION_THROWN':
      return fact.caught === 'NOWHERE' ? UNCAUGHT_ESCALATIONS : undefined;
    case 'VARIABLES_SET':
      return fact.role === 'INPUT' ? fact.scope : fact.role === 'OUTPUT' ? fact.by : undefined;
    case 'ELEMENT_COMPLETED':
    case 'ELEMENT_CANCELED':
    case 'ELEMENT_FAILED':
    case 'JOB_CREATED':
    case 'USER_TASK_CREATED':
    case 'CHILD_CALLED':
      return fact.element;
    default:
      return undefined;
  }
}

/** How many entries these facts add to the history: the process itself is the instance, not an activity in it. */
export function entriesIn(facts: readonly Fact[]): number {
  return facts.filter(isEntry).length;
}

export function isEntry(fact: Fact): fact is FactOf<'ELEMENT_ACTIVATED'> {
  return fact.kind === 'ELEMENT_ACTIVATED' && fact.element !== ROOT;
}
