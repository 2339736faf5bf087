/** Listeners in a random model: wherever an element has them, as it comes. */
import { hasListeners, insteadOfListener, LISTENER_PHASES } from '@perdure/lib/model-files/listener-phases.js';
import { TASK_EVENTS } from '@perdure/engine/behaviors/listeners/task-events.js';
import { executionListeners, extensions, taskListeners } from '@perdure/testkit/models';
import type { Random } from './random.js';

const OPENED = /<bpmn:(\w+)((?: [^<>]*?)?)(\/?)>(<bpmn:extensionElements>)?/g;

/** @param drop chance of leaving out each listener, so that two versions of a process differ */
export function withListeners(xml: string, random: Random, drop = 0): string {
  return xml.replace(
    OPENED,
    (tag, type: string, attributes: string, closed: string, extended: string | undefined, at: number) => {
      if (!hasListeners(type) || !attributes.includes(' id=') || !random.chance(0.25)) return tag;
      const content = closed ? '' : xml.slice(at, xml.indexOf(`</bpmn:${type}>`, at));
      const element = { type, definitions: definitionsIn(type, content), instantiates: false };
      const jobs = LISTENER_PHASES.map((phase) => [
        phase,
        ['one', 'two'].filter(
          () => random.chance(0.5) && !random.chance(drop) && insteadOfListener(element, phase) === undefined,
        ),
      ]);
      const listeners =
        executionListeners(Object.fromEntries(jobs)) + (type === 'userTask' ? ofTask(random, drop) : '');
      if (listeners === '') return tag;
      if (extended) return `${tag}${listeners}`;
      const open = `<bpmn:${type}${attributes}>${extensions(listeners)}`;
      return closed ? `${open}</bpmn:${type}>` : open;
    },
  );
}

function ofTask(random: Random, drop: number): string {
  const jobs = TASK_EVENTS.map((event): [string, string[]] => [
    event,
    ['one', 'two'].filter(() => random.chance(0.5) && !random.chance(drop)),
  ]);
  return jobs.some(([, types]) => types.length > 0) ? taskListeners(Object.fromEntries(jobs)) : '';
}

/** Events contain no other elements with definitions. */
function definitionsIn(type: string, content: string): string[] {
  return type.endsWith('Event') ? [...content.matchAll(/<bpmn:(\w+EventDefinition)/g)].map(([, name]) => name!) : [];
}
