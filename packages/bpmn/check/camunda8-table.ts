/**
 * Every element and attribute of Camunda 8's extensions, and what Perdure does with it. `camunda8.ts` checks models by
 * this table, `docs/camunda-8.md` shows it, and `test/bpmn/camunda8.test.ts` compares it with Camunda's own descriptor.
 */
import { hasListeners } from '@perdure/lib/model-files/listener-phases.js';
import type { BpmnElement } from '../read/document.js';

/** `note`: has no effect in Camunda's engine either, so nothing is lost and nothing is reported. */
export type Verdict = 'runs' | 'refused' | 'ignored' | 'note';

/** What happens, and for `refused` and `ignored` what to do instead or what that means. */
export type Rule = 'runs' | 'note' | { readonly refused: string } | { readonly ignored: string };

/** Where an extension element has its meaning. Elsewhere it is ignored with a warning. */
export interface Place {
  readonly name: string;
  holds(element: BpmnElement): boolean;
}

export interface ElementRule {
  readonly rule: Rule;
  /** Of an extension element directly below `extensionElements` (default: anywhere). */
  readonly place?: Place;
  /** Whether one element may have several, and all of them are read. */
  readonly repeats?: true;
  /** The extension element around it. */
  readonly within?: string;
  /** Other extension elements that it can be in. */
  readonly alsoWithin?: readonly string[];
  readonly attributes?: { readonly [name: string]: Rule };
}

export function verdictOf(rule: Rule): Verdict {
  if (typeof rule === 'string') return rule;
  return 'refused' in rule ? 'refused' : 'ignored';
}

/** The text of a rule that refuses or ignores. */
export function reasonOf(rule: Rule): string {
  if (typeof rule === 'string') return '';
  return 'refused' in rule ? rule.refused : rule.ignored;
}

const THROWING: readonly string[] = ['intermediateThrowEvent', 'endEvent'];

/** Whether an event, or the event of a definition, throws a message. */
function throwsMessage(element: BpmnElement): boolean {
  if (element.type === 'messageEventDefinition') return throwsMessage(element.parent!);
  return (
    THROWING.includes(element.type) && element.eventDefinitions().some(({ type }) => type === 'messageEventDefinition')
  );
}

function mayHaveJob(element: BpmnElement): boolean {
  return (
    ['serviceTask', 'sendTask', 'businessRuleTask', 'adHocSubProcess'].includes(element.type) || throwsMessage(element)
  );
}

const isListened = (element: BpmnElement) =>
  element.extension('executionListeners') !== undefined ||
  (element.type === 'userTask' && element.extension('taskListeners') !== undefined);
const hasJob = (element: BpmnElement) => mayHaveJob(element) && element.extension('taskDefinition') !== undefined;

function ofTypes(name: string, ...types: readonly string[]): Place {
  return { name, holds: ({ type }) => types.includes(type) };
}

const USER_TASK = ofTypes('user tasks', 'userTask');
const PROCESS = ofTypes('processes', 'process');
const JOBS: Place = {
  name: 'service tasks, send tasks, business rule tasks, message throw and end events, ad-hoc sub-processes',
  holds: mayHaveJob,
};
const JOBS_OR_PROCESS: Place = {
  name: 'elements with a `taskDefinition` or listeners, processes',
  holds: (element) => element.type === 'process' || hasJob(element) || isListened(element),
};
const WITH_HEADERS: Place = {
  name: 'elements with a `taskDefinition` or listeners, user tasks',
  holds: (element) => element.type === 'userTask' || hasJob(element) || isListened(element),
};
const FORMS: Place = {
  name: 'user tasks, the none start event of a process',
  holds: (element) =>
    element.type === 'userTask' ||
    (element.type === 'startEvent' && element.parent?.type === 'process' && element.eventDefinitions().length === 0),
};
/** `rules.ts` reports a gateway with mappings. */
const MAPPED: Place = {
  name: 'activities, events',
  holds: ({ type }) => /^task$|Task$|Event$|ubProcess$|^transaction$|^callActivity$|Gateway$/.test(type),
};

const MESSAGES: Place = {
  name: 'message events, receive tasks, send tasks, without a `taskDefinition`',
  holds: (element) =>
    (['receiveTask', 'sendTask'].includes(element.type) ||
      element.eventDefinitions().some(({ type }) => type === 'messageEventDefinition')) &&
    element.extension('taskDefinition') === undefined,
};

/** Camunda has further elements without one phase or the other; `listeners.ts` reports them. */
const LISTENED: Place = {
  name: 'processes, activities, events, gateways',
  holds: ({ type }) => hasListeners(type),
};

const LINKS = 'only processes, decisions, and forms are deployed; name the resource in a task header';
const BINDING = { bindingType: 'runs', versionTag: 'runs' } as const;
const CONFIGURATION = { modelerConfigurationTemplate: 'note', modelerConfigurationName: 'note' } as const;
const CONDITIONS = { ignored: 'a condition is evaluated whenever a variable that it reads changes' };

/** By local name. */
export const EXTENSION_ELEMENTS: { readonly [name: string]: ElementRule } = {
  adHoc: {
    rule: 'runs',
    place: ofTypes('ad-hoc sub-processes', 'adHocSubProcess'),
    attributes: { activeElementsCollection: 'runs', outputCollection: 'runs', outputElement: 'runs' },
  },
  agentDefinition: {
    rule: { ignored: 'agents are not tracked' },
    attributes: { agentType: { ignored: 'agents are not tracked' } },
  },
  assignmentDefinition: {
    rule: 'runs',
    place: USER_TASK,
    attributes: { assignee: 'runs', candidateGroups: 'runs', candidateUsers: 'runs' },
  },
  calledDecision: {
    rule: 'runs',
    place: ofTypes('business rule tasks', 'businessRuleTask'),
    attributes: { decisionId: 'runs', resultVariable: 'runs', ...BINDING },
  },
  calledElement: {
    rule: 'runs',
    place: ofTypes('call activities', 'callActivity'),
    attributes: {
      processId: 'runs',
      processIdExpression: { refused: 'write the expression into processId: "=..."' },
      propagateAllChildVariables: 'runs',
      propagateAllParentVariables: 'runs',
      businessId: {
        refused: 'a called instance has the business id of its root; pass another value as a variable (ioMapping)',
      },
      ...BINDING,
    },
  },
  conditionalFilter: {
    rule: CONDITIONS,
    attributes: { variableNames: CONDITIONS, variableEvents: CONDITIONS },
  },
  executionListeners: { rule: 'runs', place: LISTENED },
  executionListener: {
    rule: 'runs',
    within: 'executionListeners',
    attributes: { eventType: 'runs', retries: 'runs', type: 'runs' },
  },
  formDefinition: {
    rule: 'runs',
    place: FORMS,
    attributes: { formKey: 'runs', formId: 'runs', externalReference: 'runs', ...BINDING },
  },
  header: { rule: 'runs', within: 'taskHeaders', attributes: { id: 'note', key: 'runs', value: 'runs' } },
  input: {
    rule: 'runs',
    within: 'ioMapping',
    attributes: { source: 'runs', target: 'runs', ...CONFIGURATION },
  },
  ioMapping: { rule: 'runs', place: MAPPED },
  jobPriorityDefinition: { rule: 'runs', place: JOBS_OR_PROCESS, attributes: { priority: 'runs' } },
  linkedResource: {
    rule: { refused: LINKS },
    within: 'linkedResources',
    attributes: {
      resourceId: { refused: LINKS },
      resourceType: { refused: LINKS },
      linkName: { refused: LINKS },
      bindingType: { refused: LINKS },
      versionTag: { refused: LINKS },
    },
  },
  linkedResources: { rule: { refused: LINKS } },
  loopCharacteristics: {
    rule: 'runs',
    place: ofTypes('multi-instance loops', 'multiInstanceLoopCharacteristics'),
    attributes: { inputCollection: 'runs', inputElement: 'runs', outputCollection: 'runs', outputElement: 'runs' },
  },
  output: { rule: 'runs', within: 'ioMapping', attributes: { source: 'runs', target: 'runs' } },
  priorityDefinition: { rule: 'runs', place: USER_TASK, attributes: { priority: 'runs' } },
  properties: { rule: 'note' },
  property: { rule: 'note', within: 'properties', attributes: { name: 'note', value: 'note', ...CONFIGURATION } },
  script: {
    rule: 'runs',
    place: ofTypes('script tasks', 'scriptTask'),
    attributes: { expression: 'runs', resultVariable: 'runs' },
  },
  subscription: {
    rule: 'runs',
    place: ofTypes('messages', 'message'),
    attributes: { correlationKey: 'runs' },
  },
  taskDefinition: { rule: 'runs', place: JOBS, attributes: { type: 'runs', retries: 'runs' } },
  taskHeaders: { rule: 'runs', place: WITH_HEADERS, alsoWithin: ['executionListener', 'taskListener'] },
  taskListeners: { rule: 'runs', place: USER_TASK },
  taskListener: {
    rule: 'runs',
    within: 'taskListeners',
    attributes: { eventType: 'runs', retries: 'runs', type: 'runs' },
  },
  taskSchedule: { rule: 'runs', place: USER_TASK, attributes: { dueDate: 'runs', followUpDate: 'runs' } },
  userTask: { rule: 'runs', place: USER_TASK },
  userTaskForm: { rule: 'runs', repeats: true, place: PROCESS, attributes: { id: 'runs' } },
  versionTag: { rule: 'runs', place: PROCESS, attributes: { value: 'runs' } },
};

/** Elements that Camunda's descriptor does not have and that Perdure reads. */
export const FURTHER_ELEMENTS: { readonly [name: string]: ElementRule } = {
  dataObject: { rule: 'runs', place: ofTypes('data objects', 'dataObject'), attributes: { value: 'runs' } },
  publishMessage: { rule: 'runs', place: MESSAGES, attributes: { correlationKey: 'runs', timeToLive: 'runs' } },
  value: { rule: 'runs', attributes: { value: 'runs' } },
};

/** Attributes of elements of BPMN, by local name. */
export const EXTENSION_ATTRIBUTES: { readonly [name: string]: Rule } = {
  modelerTemplate: 'note',
  modelerTemplateIcon: 'note',
  modelerTemplateVersion: 'note',
  retryCounter: { ignored: 'the retries of a job are those of its taskDefinition' },
};
