/** Instructions of Camunda's process tests, as steps. One function per type; the rest has no counterpart. */
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Place, Step } from '../scenario/scenario.js';

/** Members come from files. */
export type Instruction = { readonly [member: string]: unknown };

/** The instruction, or a member of it, has no counterpart; the message names it. */
export class NoCounterpart extends Error {}

const STATUSES: { readonly [state: string]: 'RUNNING' | 'COMPLETED' | 'CANCELED' } = {
  IS_ACTIVE: 'RUNNING',
  IS_CREATED: 'RUNNING',
  IS_COMPLETED: 'COMPLETED',
  IS_TERMINATED: 'CANCELED',
};

/** @param process id of the process under test */
type Translate = (instruction: Instruction, process: string) => Step[];

export const translations: { readonly [type: string]: Translate } = {
  COMPLETE_JOB(given) {
    expectMembers(given, ['jobSelector', 'variables']);
    return [{ completeJob: { ...jobOf(given), ...variablesOf(given) } }];
  },
  THROW_BPMN_ERROR_FROM_JOB(given) {
    expectMembers(given, ['jobSelector', 'errorCode', 'errorMessage', 'variables']);
    return [{ throwError: { ...jobOf(given), code: textOf(given, 'errorCode'), ...variablesOf(given) } }];
  },
  COMPLETE_USER_TASK(given) {
    expectMembers(given, ['userTaskSelector', 'variables']);
    return [{ completeTask: { node: elementOf(given, 'userTaskSelector'), ...variablesOf(given) } }];
  },
  PUBLISH_MESSAGE: publish,
  CORRELATE_MESSAGE: publish,
  BROADCAST_SIGNAL(given) {
    expectMembers(given, ['signalName', 'variables']);
    return [{ signal: { name: textOf(given, 'signalName'), ...variablesOf(given) } }];
  },
  INCREASE_TIME(given) {
    expectMembers(given, ['duration']);
    return [{ advance: textOf(given, 'duration') }];
  },
  RESOLVE_INCIDENT(given) {
    expectMembers(given, ['incidentSelector']);
    return [{ resolve: { node: elementOf(given, 'incidentSelector') } }];
  },
  UPDATE_VARIABLES(given, process) {
    expectMembers(given, ['processInstanceSelector', 'variables']);
    expectProcess(given, process);
    return [{ setVariables: objectOf(given, 'variables') as Variables }];
  },
  ASSERT_PROCESS_INSTANCE(given, process) {
    expectMembers(given, ['processInstanceSelector', 'state', 'hasActiveIncidents']);
    expectProcess(given, process);
    const { state, hasActiveIncidents } = given;
    if (hasActiveIncidents === true) throw new NoCounterpart('"hasActiveIncidents": true');
    const status = state === undefined ? undefined : STATUSES[String(state)];
    if (state !== undefined && status === undefined) throw new NoCounterpart(`"state": ${JSON.stringify(state)}`);
    return [{ expect: { ...(status && { status }), ...(hasActiveIncidents === false && { incidents: [] }) } }];
  },
  ASSERT_VARIABLES(given, process) {
    expectMembers(given, ['processInstanceSelector', 'variables']);
    expectProcess(given, process);
    return [{ expect: { variables: objectOf(given, 'variables') as Variables } }];
  },
  ASSERT_ELEMENT_INSTANCE(given, process) {
    expectMembers(given, ['processInstanceSelector', 'elementSelector', 'state', 'amount']);
    expectProcess(given, process);
    if ((given['amount'] ?? 1) !== 1) throw new NoCounterpart('"amount"');
    return elementsAre([elementOf(given, 'elementSelector')], given['state']);
  },
  ASSERT_ELEMENT_INSTANCES(given, process) {
    expectMembers(given, ['processInstanceSelector', 'elementSelectors', 'state']);
    expectProcess(given, process);
    const selectors = Array.isArray(given['elementSelectors']) ? (given['elementSelectors'] as unknown[]) : [];
    return elementsAre(
      selectors.map((elementSelector) => elementOf({ elementSelector }, 'elementSelector')),
      given['state'],
    );
  },
  ASSERT_USER_TASK(given) {
    expectMembers(given, ['userTaskSelector', 'state']);
    if (given['state'] !== 'IS_CREATED') throw new NoCounterpart(`"state": ${JSON.stringify(given['state'])}`);
    return [{ expectAmong: { active: [elementOf(given, 'userTaskSelector')] } }];
  },
};

/** A message that nothing takes at once is kept, for both types: later assertions see the difference. */
function publish(given: Instruction): Step[] {
  expectMembers(given, ['name', 'correlationKey', 'variables']);
  const correlation = given['correlationKey'] === undefined ? {} : { correlation: textOf(given, 'correlationKey') };
  return [{ publish: { message: textOf(given, 'name'), ...correlation, ...variablesOf(given) } }];
}

function elementsAre(nodes: string[], state: unknown): Step[] {
  switch (state) {
    case 'IS_ACTIVE':
      return [{ expectAmong: { active: nodes } }];
    case 'IS_ACTIVE_EXACTLY':
      return [{ expect: { active: nodes } }];
    case 'IS_NOT_ACTIVE':
      return [{ expectAmong: { notActive: nodes } }];
    case 'IS_NOT_ACTIVATED':
      return [{ expectAmong: { notActive: nodes } }, { expect: { notPassed: nodes } }];
    case 'IS_COMPLETED':
      return nodes.map((node) => ({ expect: { passed: [node] } }));
    case 'IS_COMPLETED_IN_ORDER':
      return [{ expect: { passed: nodes } }];
    default:
      throw new NoCounterpart(`"state": ${JSON.stringify(state)}`);
  }
}

/** A member that is passed over would let a test pass that says something else. */
export function expectMembers(given: Instruction, known: readonly string[]): void {
  const isUnused = (value: unknown) => value === undefined || value === false || value === null;
  const other = Object.entries(given).find(
    ([name, value]) => name !== 'type' && !known.includes(name) && !isUnused(value),
  );
  if (other) throw new NoCounterpart(JSON.stringify(other[0]));
}

function expectProcess(given: Instruction, process: string): void {
  const selected = objectOf(given, 'processInstanceSelector')['processDefinitionId'];
  if (selected !== process)
    throw new NoCounterpart(`a selector of another process than ${process}, ${JSON.stringify(selected)}`);
}

function jobOf(given: Instruction): Place {
  const { elementId, jobType } = objectOf(given, 'jobSelector');
  if (typeof elementId === 'string') return { node: elementId };
  if (typeof jobType === 'string') return { type: jobType };
  throw new NoCounterpart('"jobSelector" without "elementId" and "jobType"');
}

function elementOf(given: Instruction, member: string): string {
  const { elementId } = objectOf(given, member);
  if (typeof elementId === 'string') return elementId;
  throw new NoCounterpart(`${JSON.stringify(member)} without "elementId"`);
}

export function objectOf(given: Instruction, member: string): { readonly [name: string]: unknown } {
  const value = given[member];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Instruction;
  throw new NoCounterpart(`${JSON.stringify(member)}, which must be an object`);
}

function textOf(given: Instruction, member: string): string {
  const value = given[member];
  if (typeof value === 'string') return value;
  throw new NoCounterpart(`${JSON.stringify(member)}, which must be a text`);
}

export function variablesOf(given: Instruction): { variables?: Variables } {
  return given['variables'] === undefined ? {} : { variables: objectOf(given, 'variables') as Variables };
}
