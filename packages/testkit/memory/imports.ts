/** Imports of running instances, with all that they call. */
import type { FactOf } from '@perdure/engine/contract/facts.js';
import type { ImportedInstance, ImportIssue } from '@perdure/engine/contract/imported.js';
import { importInstance, type ImportContext } from '@perdure/engine/import/import-instance.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import type { State } from '@perdure/engine/state/state.js';
import type { Deployed } from './deployments.js';

/** A running instance of another system, and the instances that it calls by the indexes of their tokens. */
export interface GivenInstance extends ImportedInstance {
  processId: string;
  called?: { tokenIndex: number; instance: GivenInstance }[];
}

export interface MadeInstance {
  process: Deployed;
  fact: FactOf<'INSTANCE_IMPORTED'>;
  state: State;
}

/** An import that was refused, with all issues. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';

  constructor(readonly issues: readonly ImportIssue[]) {
    super(`The instance cannot be imported: ${issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}`);
  }
}

/**
 * The states of the instance and of all that it calls, callers first.
 * @throws ImportRefused
 */
export function makeImported(
  given: GivenInstance,
  newest: (processID: string) => Deployed,
  context: Pick<ImportContext, 'workflowID' | 'now'>,
): MadeInstance[] {
  const issues: ImportIssue[] = [];
  const made = make(given, newest, { flags: currentFlags(), depth: 0, ...context }, '', issues);
  if (issues.length > 0) throw new ImportRefused(issues);
  return made;
}

function make(
  given: GivenInstance,
  newest: (processID: string) => Deployed,
  context: Omit<ImportContext, 'called'>,
  path: string,
  issues: ImportIssue[],
): MadeInstance[] {
  const process = newest(given.processId);
  const called = new Map((given.called ?? []).map(({ tokenIndex, instance }) => [tokenIndex, instance.processId]));
  const result = importInstance(process.model, given, { ...context, called });
  issues.push(...result.issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` })));
  const { imported } = result;
  if (!imported) return [];
  const children = (given.called ?? []).flatMap(({ tokenIndex, instance }, index) => {
    const call = imported.calls.get(tokenIndex);
    if (!call) {
      issues.push({ path: `${path}called[${index}].tokenIndex`, tokenIndex, message: 'this token calls nothing' });
      return [];
    }
    const { child, workflowID, caughtErrors, caughtEscalations, depth } = call;
    const { now, flags } = context;
    const below = {
      now,
      ...(flags && { flags }),
      workflowID,
      parent: { workflowID: context.workflowID, wait: child },
      caughtErrors,
      ...(caughtEscalations && { caughtEscalations }),
      depth,
    };
    return make(instance, newest, below, `${path}called[${index}].instance.`, issues);
  });
  return [{ process, ...imported }, ...children];
}
