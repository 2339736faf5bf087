/** Tasks and call activities. */
import { extensionsOf, type ExtensionOptions } from './extensions.js';
import { element, tag, type Xml } from './xml.js';

export interface ActivityOptions extends ExtensionOptions {
  readonly name?: string;
  /** The id of the default flow. */
  readonly default?: string;
  readonly isForCompensation?: boolean;
  /** `multiInstance(...)` or `standardLoop(...)`. */
  readonly loop?: Xml;
}

export interface ServiceTaskOptions extends ActivityOptions {
  /** Job type (default: the id). */
  readonly type?: string;
  readonly retries?: number | string;
}

export interface UserTaskOptions extends ActivityOptions {
  readonly assignee?: string;
  readonly candidateGroups?: string;
  readonly candidateUsers?: string;
  readonly formKey?: string;
  readonly formID?: string;
}

export interface CallActivityOptions extends ActivityOptions {
  readonly propagateAllParentVariables?: boolean;
  readonly propagateAllChildVariables?: boolean;
  readonly bindingType?: 'latest' | 'deployment' | 'versionTag';
  readonly versionTag?: string;
}

/** @param own extension elements of this kind of activity; @param content what the activity consists of */
export function activity(
  kind: string,
  attributes: { readonly id: string; readonly [name: string]: string | boolean | undefined },
  options: ActivityOptions,
  { own = '', content = '' }: { own?: Xml; content?: Xml } = {},
): string {
  const { name, default: defaultFlow, isForCompensation, loop = '' } = options;
  const common = { name, default: defaultFlow, isForCompensation };
  return element(kind, { ...attributes, ...common }, [extensionsOf(options, own), loop, content]);
}

/** An undefined task, which completes immediately. */
export function task(id: string, options: ActivityOptions = {}): string {
  return activity('task', { id }, options);
}

export function serviceTask(id: string, options: ServiceTaskOptions = {}): string {
  const { type = id, retries } = options;
  return activity('serviceTask', { id }, options, { own: tag('zeebe:taskDefinition', { type, retries }) });
}

/** @param expression in FEEL: `=x + 1` */
export function scriptTask(
  id: string,
  expression: string,
  resultVariable: string,
  options: ActivityOptions = {},
): string {
  return activity('scriptTask', { id }, options, { own: tag('zeebe:script', { expression, resultVariable }) });
}

export function userTask(id: string, options: UserTaskOptions = {}): string {
  const { assignee, candidateGroups, candidateUsers, formKey, formID } = options;
  const isAssigned = [assignee, candidateGroups, candidateUsers].some((value) => value !== undefined);
  const hasForm = [formKey, formID].some((value) => value !== undefined);
  const own = [
    tag('zeebe:userTask', {}),
    isAssigned ? tag('zeebe:assignmentDefinition', { assignee, candidateGroups, candidateUsers }) : '',
    hasForm ? tag('zeebe:formDefinition', { formKey, formId: formID }) : '',
  ];
  return activity('userTask', { id }, options, { own });
}

/** @param messageRef id of a `root.message` */
export function receiveTask(id: string, messageRef: string, options: ActivityOptions = {}): string {
  return activity('receiveTask', { id, messageRef }, options);
}

export function businessRuleTask(
  id: string,
  decisionId: string,
  resultVariable: string,
  options: ActivityOptions = {},
): string {
  const own = tag('zeebe:calledDecision', { decisionId, resultVariable });
  return activity('businessRuleTask', { id }, options, { own });
}

export function callActivity(id: string, processId: string, options: CallActivityOptions = {}): string {
  const { propagateAllParentVariables, propagateAllChildVariables, bindingType, versionTag } = options;
  const called = { processId, propagateAllParentVariables, propagateAllChildVariables, bindingType, versionTag };
  return activity('callActivity', { id }, options, { own: tag('zeebe:calledElement', called) });
}
