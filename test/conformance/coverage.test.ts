/** No kind of element and no event at any place where it may stand lacks a case that reaches it. */
import { beforeAll, expect, it } from 'vitest';
import { elements } from '@perdure/engine/elements/index.js';
import type { Node } from '@perdure/engine/model/graph.js';
import type { Model } from '@perdure/engine/model/model.js';
import type { TriggerKind } from '@perdure/engine/events/index.js';
import { families } from './cases/index.js';
import { MemoryDriver } from './memory.js';

type Place =
  | 'start'
  | 'catch'
  | 'throw'
  | 'end'
  | 'boundary'
  | 'non-interrupting boundary'
  | 'event sub-process'
  | 'non-interrupting event sub-process';

const LISTENERS = [
  'boundary',
  'non-interrupting boundary',
  'event sub-process',
  'non-interrupting event sub-process',
] as const;

/** BPMN 2.0.2 table 10.93: where each event may stand. */
const PLACES: { [K in TriggerKind | 'none' | 'multiple' | 'parallelMultiple']: readonly Place[] } = {
  none: ['start', 'throw', 'end'],
  message: ['start', 'catch', 'throw', 'end', ...LISTENERS],
  timer: ['start', 'catch', ...LISTENERS],
  signal: ['start', 'catch', 'throw', 'end', ...LISTENERS],
  conditional: ['start', 'catch', ...LISTENERS],
  link: ['catch', 'throw'],
  error: ['end', 'boundary', 'event sub-process'],
  escalation: ['throw', 'end', ...LISTENERS],
  compensate: ['throw', 'end', 'boundary', 'event sub-process'],
  cancel: ['end', 'boundary'],
  terminate: ['end'],
  multiple: ['start', 'catch', 'throw', 'end', ...LISTENERS],
  parallelMultiple: ['start', 'catch', ...LISTENERS],
};

const reached = new Set<string>();

beforeAll(async () => {
  for (const given of families.flatMap(({ cases }) => cases)) {
    const memory = new MemoryDriver(given);
    // As they happen: a migration gives the instance another model.
    memory.host.onFacts = ({ model }, facts) => {
      for (const fact of facts) if (fact.kind === 'ELEMENT_ACTIVATED') note(model, model.node(fact.node));
    };
    await memory.begin();
    for (const stimulus of given.play ?? []) await memory.apply(stimulus);
  }
});

it.each(Object.keys(elements))('%s', (kind) => {
  expect([...reached]).toContain(kind);
});

it.each(Object.entries(PLACES).flatMap(([event, places]) => places.map((place) => `${event} ${place}`)))(
  '%s',
  (event) => {
    expect([...reached]).toContain(event);
  },
);

it.each(['parallel multi-instance', 'sequential multi-instance', 'standard loop'])('%s', (loop) => {
  expect([...reached]).toContain(loop);
});

function note(model: Model, node: Node): void {
  reached.add(node.kind);
  if ('loop' in node && node.loop)
    reached.add(
      node.loop.kind === 'standard'
        ? 'standard loop'
        : `${node.loop.sequential ? 'sequential' : 'parallel'} multi-instance`,
    );
  const place = placeOf(model, node);
  if (place && 'triggers' in node) for (const event of eventsOf(node)) reached.add(`${event} ${place}`);
}

function eventsOf(node: Extract<Node, { triggers: unknown }>): string[] {
  if ('parallelMultiple' in node && node.parallelMultiple) return ['parallelMultiple'];
  if (node.triggers.length > 1) return ['multiple'];
  return node.triggers.length === 0 ? ['none'] : node.triggers.map(({ kind }) => kind);
}

function placeOf(model: Model, node: Node): Place | undefined {
  switch (node.kind) {
    case 'startEvent': {
      if (model.node(node.parent!).kind !== 'eventSubProcess') return 'start';
      return node.interrupting ? 'event sub-process' : 'non-interrupting event sub-process';
    }
    case 'boundaryEvent':
      return node.interrupting ? 'boundary' : 'non-interrupting boundary';
    case 'intermediateCatchEvent':
      return 'catch';
    case 'intermediateThrowEvent':
      return 'throw';
    case 'endEvent':
      return 'end';
    default:
      return undefined;
  }
}
