/**
 * Extensions that Camunda 7, Activiti and Flowable express in attributes and Camunda 8 in extension elements, where the
 * meaning is the same.
 */
import type { SourceExtension } from '@perdure/engine/model/source.js';
import { isJuel } from '@perdure/juel/text.js';
import { booleanOf } from '@perdure/xml/names.js';

type Translation = { readonly [attribute: string]: { from: string; feel?: true } };

/** The supported extension element, then the foreign attribute for each of its attributes. */
const TRANSLATIONS: { readonly [extension: string]: Translation } = {
  taskDefinition: { type: { from: 'topic' } },
  assignmentDefinition: {
    assignee: { from: 'assignee' },
    candidateUsers: { from: 'candidateUsers' },
    candidateGroups: { from: 'candidateGroups' },
  },
  formDefinition: { formKey: { from: 'formKey' } },
  taskSchedule: { dueDate: { from: 'dueDate' }, followUpDate: { from: 'followUpDate' } },
  priorityDefinition: { priority: { from: 'priority' } },
  jobPriorityDefinition: { priority: { from: 'taskPriority' } },
  script: { resultVariable: { from: 'resultVariable' } },
  versionTag: { value: { from: 'versionTag' } },
  loopCharacteristics: {
    inputCollection: { from: 'collection', feel: true },
    inputElement: { from: 'elementVariable' },
  },
};

/** Elements whose work a job worker may do. */
const WITH_JOBS = [
  'serviceTask',
  'sendTask',
  'businessRuleTask',
  'intermediateThrowEvent',
  'endEvent',
  'messageEventDefinition',
];

/** Where these extension elements are allowed. */
const HOLDERS: { readonly [extension: string]: readonly string[] } = {
  taskDefinition: WITH_JOBS,
  assignmentDefinition: ['userTask'],
  formDefinition: ['userTask'],
  taskSchedule: ['userTask'],
  priorityDefinition: ['userTask'],
  jobPriorityDefinition: [...WITH_JOBS, 'process'],
  script: ['scriptTask'],
  versionTag: ['process'],
  loopCharacteristics: ['multiInstanceLoopCharacteristics'],
};

/** Attributes by local name that `extensionFromAttributes` supports at an element of this type. */
export function isTranslated(type: string, attribute: string): boolean {
  return translatedTo(type, attribute) !== undefined;
}

/** The extension element equivalent to such an attribute. */
export function translatedTo(type: string, attribute: string): string | undefined {
  const found = Object.entries(TRANSLATIONS).find(
    ([extension, translation]) =>
      HOLDERS[extension]!.includes(type) && Object.values(translation).some(({ from }) => from === attribute),
  );
  return found?.[0];
}

/**
 * The extension element `name` given by foreign attributes of an element; undefined if none is.
 * @param attribute returns the text of a foreign attribute by its local name
 */
export function extensionFromAttributes(
  name: string,
  type: string,
  attribute: (name: string) => string | undefined,
): SourceExtension | undefined {
  const translation = Object.hasOwn(TRANSLATIONS, name) && HOLDERS[name]!.includes(type) ? TRANSLATIONS[name]! : {};
  const found = new Map<string, string>();
  for (const [own, { from, feel }] of Object.entries(translation)) {
    const given = attribute(from);
    if (given) found.set(own, asOurs(given, feel === true));
  }
  if (found.size === 0) return undefined;
  return {
    name,
    attribute: (own) => found.get(own),
    flag: (own, fallback) => booleanOf(found.get(own) ?? '') ?? fallback,
    children: () => [],
    text: '',
  };
}

/** JUEL is translated on compilation. */
function asOurs(given: string, isExpression: boolean): string {
  return isExpression && !isJuel(given) ? `=${given}` : given;
}
