/** BPMN's rules about link events: 2.0.2 sections 10.5.4 and 10.5.5.1. Their names are fixed texts, so all is known. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { BpmnElement } from '../read/document.js';
import type { DrawnNode, DrawnScope } from '../read/drawing.js';

const LINK = 'linkEventDefinition';

/** Maximum names listed in one problem. */
const MAX_NAMED = 10;

/** Reports every violation among the link events directly inside `scope`. A link stays in its scope. */
export function checkLinks(scope: DrawnScope, problems: Diagnostics): void {
  const links = scope.nodes.filter(({ element }) => linksOf(element).length > 0);
  const throwing = links.filter(({ element }) => element.type === 'intermediateThrowEvent');
  const catching = links.filter(({ element }) => element.type === 'intermediateCatchEvent');
  for (const node of [...throwing, ...catching]) checkAlone(node, problems);
  for (const node of throwing) checkNoFlows(node, 'outgoing', problems);
  for (const node of catching) checkNoFlows(node, 'incoming', problems);
  const targets = targetsOf(scope, catching, problems);
  checkSources(scope, throwing, targets, problems);
  const used = new Set(throwing.flatMap(({ element }) => linksOf(element)));
  for (const [name, target] of targets)
    if (!used.has(name))
      problems.warning(
        target,
        `No link throw event in ${scope.element.id} leads to ${target} (link ${JSON.stringify(name)}), so it is never reached`,
      );
}

/** The names of the links of an event, without those that are missing, which is reported where links are compiled. */
function linksOf(element: BpmnElement): string[] {
  return element.eventDefinitions().flatMap(({ type, name }) => (type === LINK && name ? [name] : []));
}

/** One link leads to one place, and the catching end of a link waits for nothing. */
function checkAlone({ element }: DrawnNode, problems: Diagnostics): void {
  const definitions = element.eventDefinitions();
  if (definitions.length > 1)
    problems.error(
      element.id,
      `Link event ${element.id} has ${definitions.length} event definitions, but a link must be the only one. Use separate events.`,
    );
}

function checkNoFlows(node: DrawnNode, direction: 'incoming' | 'outgoing', problems: Diagnostics): void {
  for (const flow of node[direction])
    problems.error(
      flow.id,
      direction === 'outgoing'
        ? `Sequence flow ${flow.id} cannot leave link throw event ${node.element.id}, which continues at its link catch event`
        : `Sequence flow ${flow.id} cannot lead to link catch event ${node.element.id}, which only link throw events reach`,
    );
}

/** Several links may lead to one target, but one link may not lead to several. */
function targetsOf(scope: DrawnScope, catching: readonly DrawnNode[], problems: Diagnostics): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { element } of catching)
    for (const name of linksOf(element)) {
      const other = targets.get(name);
      if (other !== undefined)
        problems.error(
          element.id,
          `Link ${JSON.stringify(name)} has two targets in ${scope.element.id}: ${other} and ${element.id}`,
        );
      targets.set(name, element.id);
    }
  return targets;
}

function checkSources(
  scope: DrawnScope,
  throwing: readonly DrawnNode[],
  targets: ReadonlyMap<string, string>,
  problems: Diagnostics,
): void {
  const names = [...targets.keys()].slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
  const more = targets.size > MAX_NAMED ? ` and ${targets.size - MAX_NAMED} more` : '';
  const found = names.length > 0 ? `only for ${names.join(', ')}${more}` : 'none at all';
  for (const { element } of throwing)
    for (const name of linksOf(element))
      if (!targets.has(name))
        problems.error(
          element.id,
          `Link event ${element.id} leads to link ${JSON.stringify(name)}, but ${scope.element.id} has no link catch event with that name directly inside (${found}). Give both ends the same name in the same scope.`,
        );
}
