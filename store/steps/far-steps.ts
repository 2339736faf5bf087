/**
 * Index of step commits that concern element instances activated in earlier commits. A page of the history or the
 * timeline finds them here without reading the commits in between. The first commits of an instance are not indexed:
 * there are few enough to read, and most instances have no others.
 */
import { unfolded, type Fact, type FactKind, type FactOf } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { ROOT } from '@perdure/engine/state/state.js';
import { rowsOf, sql } from '../sql/builder.js';
import type { Part, StepParameters } from './commit/part.js';

/** Commits up to this number are indexed only for the subjects below. */
export const NEAR_STEPS = 256;

/** Subjects other than element instances. */
export const MIGRATIONS = 0;
export const UNCAUGHT_ESCALATIONS = -1;

/** The part of a step commit that indexes it, if there is something to index. */
export function farStepParts(step: StepParameters, { number, facts }: StepCommit): Part[] {
  const subjects = farSubjects(number, facts);
  if (subjects.size === 0) return [];
  const subject = rowsOf('f', [...subjects], {
    subject: ['integer', ([id]) => id],
    times: ['integer', ([, times]) => times],
  });
  return [
    {
      name: 'far_steps',
      sql: sql`
      INSERT INTO far_steps (workflow_id, subject, step, times)
      SELECT w.workflow_id, f.subject, ${step.number}, f.times FROM writable w, ${subject}`,
    },
  ];
}

/** Subjects to index, with the number of facts about each. */
function farSubjects(number: number, folded: readonly Fact[]): Map<number, number> {
  const facts = unfolded(folded);
  const begun = new Set(facts.filter(isEntry).map(({ element }) => element));
  const subjects = new Map<number, number>();
  for (const fact of facts) {
    const subject = subjectOf(fact);
    if (subject === undefined || subject === ROOT || begun.has(subject)) continue;
    if (subject <= MIGRATIONS || number > NEAR_STEPS) subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  return subjects;
}

const element = (fact: { readonly element: number }) => fact.element;

/** The subjects of the facts that the history or the timeline shows. */
const subjects = {
  INSTANCE_MIGRATED: () => MIGRATIONS,
  ESCALATION_THROWN: ({ caught }) => (caught === 'NOWHERE' ? UNCAUGHT_ESCALATIONS : undefined),
  VARIABLES_SET: ({ role, scope, by }) => (role === 'INPUT' ? scope : role === 'OUTPUT' ? by : undefined),
  ELEMENT_COMPLETED: element,
  ELEMENT_CANCELED: element,
  ELEMENT_FAILED: element,
  JOB_CREATED: element,
  USER_TASK_CREATED: element,
  CHILD_CALLED: element,
} as const satisfies { readonly [K in FactKind]?: (fact: FactOf<K>) => number | undefined };

/** The facts that a page of the history or the timeline can read: those of the index, and those that start an entry. */
export type ShownFact = keyof typeof subjects | 'ELEMENT_ACTIVATED';

function subjectOf(fact: Fact): number | undefined {
  const read: { readonly [K in FactKind]?: (fact: never) => number | undefined } = subjects;
  return read[fact.kind]?.(fact as never);
}

/** Number of history entries added by these facts. */
export function entriesIn(facts: readonly Fact[]): number {
  return unfolded(facts).filter(isEntry).length;
}

/** Whether the fact starts a history entry. The process itself is the instance, not an activity in it. */
export function isEntry(fact: Fact): fact is FactOf<'ELEMENT_ACTIVATED'> {
  return fact.kind === 'ELEMENT_ACTIVATED' && fact.element !== ROOT;
}
