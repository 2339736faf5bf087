/** Checks the extensions in Perdure's namespace: nothing that a model says is left out. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { PERDURE } from '@perdure/lib/model-files/namespaces.js';
import { localName } from '@perdure/xml/names.js';
import type { BpmnElement } from '../read/document.js';
import type { Extension } from '../read/extension.js';

interface Rule {
  /** Elements that can have it, at most once each. */
  place: readonly string[];
  attributes: readonly string[];
}

/** A backtest could not tell the payload of a start event from its outputs. */
const WITH_RESULTS = [
  'serviceTask',
  'sendTask',
  'receiveTask',
  'userTask',
  'scriptTask',
  'businessRuleTask',
  'callActivity',
  'intermediateCatchEvent',
  'boundaryEvent',
  'intermediateThrowEvent',
  'endEvent',
];

const rules: ReadonlyMap<string, Rule> = new Map([
  ['limit', { place: ['serviceTask', 'sendTask', 'adHocSubProcess'], attributes: ['key'] }],
  ['keepResults', { place: WITH_RESULTS, attributes: [] }],
]);

/** Reports extensions that are unknown, misplaced, or given twice. */
export function checkPerdure(elements: readonly BpmnElement[], problems: Diagnostics): void {
  for (const element of elements) {
    const seen = new Set<string>();
    for (const extension of element.extensions()) {
      if (extension.namespace !== PERDURE) continue;
      const why = seen.has(extension.name) ? 'can be given once' : reasonToRefuse(element, extension);
      seen.add(extension.name);
      if (why !== undefined)
        problems.error(element.id, `Extension element ${extension.qualifiedName} of ${element.id} ${why}`);
    }
  }
}

function reasonToRefuse(element: BpmnElement, extension: Extension): string | undefined {
  const rule = rules.get(extension.name);
  if (!rule) return `is not known. Perdure has ${[...rules.keys()].join(', ')}.`;
  if (!rule.place.includes(element.type)) return `is for ${rule.place.join(', ')}, but is at a ${element.type}`;
  const jobless = extension.name === 'limit' ? reasonWithoutJobs(element) : undefined;
  if (jobless !== undefined) return `is for jobs, but ${jobless}`;
  const unknown = extension.attributeNames().find((name) => !rule.attributes.includes(localName(name)));
  if (unknown !== undefined) return `has no attribute ${unknown}`;
  return extension.all().length > 0 ? 'has no child elements' : undefined;
}

function reasonWithoutJobs(element: BpmnElement): string | undefined {
  if (element.hasExtension('taskDefinition')) return undefined;
  if (element.type === 'sendTask' && element.attribute('messageRef')) return 'the task publishes a message';
  return element.type === 'adHocSubProcess' ? 'no job worker drives the sub-process' : undefined;
}
