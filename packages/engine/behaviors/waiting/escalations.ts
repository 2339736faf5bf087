/**
 * Escalations: BPMN 2.0.2 section 10.5.5.1. They propagate outward to the nearest catching event, also across call
 * activities. An uncaught escalation is recorded and has no other effect.
 */
import type { Variables } from '../../contract/json.js';
import { fireEvent } from '../../registry.js';
import { record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { levelsAround, type Handler, type Level } from '../lifecycle/failures.js';

/** Catches escalations of every code. */
const EVERY_ESCALATION = '*';

/** Throws an escalation from `element`. An interrupting event that catches it may end `element`. */
export function throwEscalation(
  run: Run,
  element: ElementInstance,
  escalationCode: string | undefined,
  variables?: Variables,
): void {
  const handler = findHandler(run, element, escalationCode);
  record(run, {
    kind: 'ESCALATION_THROWN',
    element: element.id,
    node: element.node,
    ...(escalationCode !== undefined && { escalationCode }),
    caught: handler ? 'HERE' : parentCatches(run, escalationCode) ? 'PARENT' : 'NOWHERE',
    ...(variables && { variables }),
  });
  if (handler?.kind === 'boundary') fireEvent(run, handler.host, handler.node, variables);
  if (handler?.kind === 'eventSubProcess') fireEvent(run, handler.scope, run.model.node(handler.node), variables);
}

/**
 * Codes of the escalations caught at `element` or in an enclosing scope, including the parent instance; undefined if
 * none.
 */
export function escalationsCaughtAround(run: Run, element: ElementInstance): string[] | undefined {
  const codes = new Set(run.state.caughtEscalations);
  for (const level of levelsAround(run, element)) {
    for (const { trigger } of level)
      if (trigger.kind === 'escalation') codes.add(trigger.escalationCode ?? EVERY_ESCALATION);
  }
  return codes.size > 0 ? [...codes].sort() : undefined;
}

function parentCatches({ state }: Run, code: string | undefined): boolean {
  const caught = state.caughtEscalations ?? [];
  return caught.includes(EVERY_ESCALATION) || (code !== undefined && caught.includes(code));
}

function findHandler(run: Run, element: ElementInstance, code: string | undefined): Handler | undefined {
  for (const level of levelsAround(run, element)) {
    const found =
      catcher(level, (caught) => caught !== undefined && caught === code) ??
      catcher(level, (caught) => caught === undefined);
    if (found) return found;
  }
  return undefined;
}

function catcher(level: Level, matches: (code: string | undefined) => boolean): Handler | undefined {
  return level.find(({ trigger }) => trigger.kind === 'escalation' && matches(trigger.escalationCode))?.handler;
}
