/**
 * Models without any structure: random nodes with random flows, in random scopes, with expressions and values that no one
 * would write. Unlike those of `blocks.ts` nothing can be said of what they do, only that they never wedge.
 */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import {
  boundaryEvent,
  catchEvent,
  compensatedBy,
  element,
  endEvent,
  eventSubProcess,
  extensions,
  multiInstance,
  on,
  processModel,
  root,
  scriptTask,
  sequenceFlows,
  serviceTask,
  standardLoop,
  startEvent,
  task,
  throwEvent,
} from '@perdure/testkit/models';
import type { Random } from './random.js';

/** Variables that expressions read and write. */
const NAMES = ['x', 'y', 'list', 'text', 'record'];
const EXPRESSIONS = [
  'x + 1',
  'x - y',
  'x = 1',
  'x > y',
  'true',
  'false',
  'null',
  'list',
  'count(list)',
  'list[1]',
  'list[item > 2]',
  'append(list, x)',
  'concatenate(list, list)',
  'text',
  'text + text',
  'substring(text, 1, 3)',
  'upper case(text)',
  'record',
  'record.a',
  '{a: x, b: list}',
  'for i in 1..3 return i * x',
  'for i in list return {i: i, all: list}',
  'some i in list satisfies i = x',
  'if x > 0 then text else list',
  'string(x)',
  'number(text)',
  'now()',
  'today() + @"P1D"',
  '@"P999999Y"',
  'date(999999999, 12, 31)',
  '1/0',
  '0/0',
  '10**300',
  '-(10**300)',
  'nowhere',
  'x(1)',
  'text.a.b.c',
  'get value(record, text)',
  'context put({}, text, x)',
  String.raw`"a\u0000b"`,
  String.raw`"\uD800"`,
  '"P1D"',
  '"PT0S"',
  '"not a duration"',
  '"R/PT1S"',
  '"__proto__"',
  'context put({}, "__proto__", x)',
  'sort(list, function(a, b) a > b)',
  'matches(text, "(a+)+$")',
  'for i in 1..2000 return i',
  'for i in 1..300 return text',
  'count(for i in 1..1000000 return i)',
  'some i in 1..100000 satisfies some j in 1..100000 satisfies i * j < 0',
  '(function(f, n) f(f, n + 1))(function(f, n) f(f, n + 1), 1)',
];
const MAX_NODES = 8;
const MAX_DEPTH = 3;
const ROOTS = [root.message('M'), root.message('K', '=x'), root.signal('S'), root.error('E'), root.escalation('U')];
const FLOW_NODES = [
  'task',
  'script',
  'job',
  'user',
  'receive',
  'rule',
  'call',
  'exclusive',
  'parallel',
  'inclusive',
  'complex',
  'catch',
  'throw',
  'end',
  'scope',
] as const;

/** A BPMN file with the process `p`. Not every one is accepted: an event-based gateway or a link may lack what it needs. */
export class WildModel {
  readonly #random: Random;
  #ids = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  process(): string {
    const { body, flows } = this.#scope(0, this.#random.chance(0.75));
    return processModel('p', [body], flows, ROOTS);
  }

  #scope(depth: number, hasStart: boolean): { body: string; flows: string } {
    const random = this.#random;
    const nodes = Array.from({ length: 1 + random.below(MAX_NODES) }, () => this.#node(depth));
    const flows: string[] = [];
    let body = nodes.map(({ xml }) => xml).join('');
    const sources = nodes.filter(({ ends }) => !ends).map(({ id }) => id);
    if (hasStart) {
      const start = this.#id('s');
      body += startEvent(start);
      flows.push(`${this.#id('f')}: ${start} -> ${nodes[0]!.id}`);
    }
    for (const source of sources) {
      for (let count = random.below(3); count > 0; count -= 1) {
        const condition = random.chance(0.4) ? ` =${this.#expression()}` : '';
        flows.push(`${this.#id('f')}: ${source} -> ${random.pick(nodes).id}${condition}`);
      }
    }
    for (const { id, hosts } of nodes)
      if (hosts && random.chance(0.3)) body += this.#boundary(id, random.pick(nodes).id, flows);
    if (random.chance(0.25)) body += this.#eventSubProcess(depth);
    return { body, flows: flows.join('\n') };
  }

  #node(depth: number): { id: string; xml: string; ends?: boolean; hosts?: boolean } {
    const random = this.#random;
    const kind = random.pick(FLOW_NODES);
    const id = this.#id(kind);
    switch (kind) {
      case 'task':
        return { id, xml: element('task', { id: id }, [this.#mappings(), this.#repeated()]), hosts: true };
      case 'script':
        return {
          id,
          xml: scriptTask(id, `=${this.#expression()}`, random.pick(NAMES), { loop: this.#repeated() }),
          hosts: true,
        };
      case 'job':
        return {
          id,
          xml: serviceTask(id, {
            type: random.chance(0.9) ? 'work' : `=${this.#expression()}`,
            loop: this.#repeated(),
          }),
          hosts: true,
        };
      case 'user':
        return {
          id,
          xml: `<bpmn:userTask id="${id}">${extensions(['<zeebe:userTask/>', random.chance(0.3) ? `<zeebe:assignmentDefinition assignee="${escape(`=${this.#expression()}`)}"/>` : ''])}${this.#repeated()}</bpmn:userTask>`,
          hosts: true,
        };
      case 'receive':
        return {
          id,
          xml: `<bpmn:receiveTask id="${id}" messageRef="${random.pick(['M', 'K'])}">${this.#repeated()}</bpmn:receiveTask>`,
          hosts: true,
        };
      case 'rule':
        return {
          id,
          xml: `<bpmn:businessRuleTask id="${id}">${extensions(`<zeebe:calledDecision decisionId="d" resultVariable="${random.pick(NAMES)}"/>`)}${this.#repeated()}</bpmn:businessRuleTask>`,
          hosts: true,
        };
      case 'call':
        return {
          id,
          xml: `<bpmn:callActivity id="${id}">${extensions(`<zeebe:calledElement processId="${random.chance(0.8) ? 'other' : escape(`=${this.#expression()}`)}" propagateAllChildVariables="true"/>`)}${this.#repeated()}</bpmn:callActivity>`,
          hosts: true,
        };
      case 'exclusive':
      case 'parallel':
      case 'inclusive':
        return { id, xml: element(`${kind}Gateway`, { id: id }) };
      case 'complex':
        return {
          id,
          xml: element(
            `${kind}Gateway`,
            { id: id },
            `<bpmn:activationCondition>${escape(`=activationCount >= ${1 + random.below(3)}`)}</bpmn:activationCondition>`,
          ),
        };
      case 'catch':
        return {
          id,
          xml: catchEvent(
            id,
            [this.#caught(), random.chance(0.2) ? this.#caught() : ''],
            random.chance(0.2) ? { parallelMultiple: true } : {},
          ),
        };
      case 'throw':
        return {
          id,
          xml: throwEvent(id, [
            this.#mappings(),
            random.pick(['', on.message('M'), on.signal('S'), on.escalation('U'), on.compensation()]),
          ]),
        };
      case 'end':
        return {
          id,
          xml: endEvent(
            id,
            random.pick([
              '',
              '',
              on.message('M'),
              on.signal('S'),
              on.error('E'),
              on.escalation('U'),
              on.compensation(),
              on.terminate,
            ]),
          ),
          ends: true,
        };
      case 'scope':
        return depth === MAX_DEPTH
          ? { id, xml: task(id), hosts: true }
          : { id, xml: this.#subProcess(id, depth + 1), hosts: true };
    }
  }

  #subProcess(id: string, depth: number): string {
    const random = this.#random;
    const kind = random.pick(['subProcess', 'subProcess', 'transaction', 'adHocSubProcess'] as const);
    if (kind === 'adHocSubProcess') {
      const condition = random.chance(0.5)
        ? `<bpmn:completionCondition>${escape(`=${this.#expression()}`)}</bpmn:completionCondition>`
        : '';
      return `<bpmn:adHocSubProcess id="${id}" ordering="${random.pick(['Parallel', 'Sequential'])}">${this.#node(MAX_DEPTH).xml}${serviceTask(this.#id('job'), { type: 'work' })}${condition}</bpmn:adHocSubProcess>`;
    }
    const { body, flows } = this.#scope(depth, random.chance(0.7));
    const canceled = kind === 'transaction' && random.chance(0.5) ? endEvent(this.#id('end'), on.cancel) : '';
    return element(kind, { id: id }, [this.#repeated(), body, canceled, sequenceFlows(flows)]);
  }

  #boundary(host: string, target: string, flows: string[]): string {
    const random = this.#random;
    const id = this.#id('b');
    if (random.chance(0.15)) {
      const handler = this.#id('undo');
      const association = compensatedBy(host, handler).replaceAll(`undo_${host}`, id);
      return `${serviceTask(handler, { type: 'undo', isForCompensation: true })}${association}`;
    }
    flows.push(`${this.#id('f')}: ${id} -> ${target}`);
    if (random.chance(0.2)) return boundaryEvent(id, host, random.pick([on.error('E'), on.error()]));
    const definition = random.chance(0.2) ? random.pick([on.escalation('U'), on.escalation()]) : this.#caught();
    return boundaryEvent(
      id,
      host,
      [definition, random.chance(0.5) ? this.#mappings() : ''],
      random.chance(0.5) ? { interrupting: false } : {},
    );
  }

  #eventSubProcess(depth: number): string {
    const random = this.#random;
    const interrupting = random.chance(0.4) ? {} : { interrupting: false };
    const definition = random.chance(0.3) ? on.escalation('U') : this.#caught();
    const start = this.#id('es');
    const inner = this.#node(depth + 1 > MAX_DEPTH ? MAX_DEPTH : depth + 1);
    return eventSubProcess(
      this.#id('e'),
      [startEvent(start, [definition, random.chance(0.3) ? this.#mappings() : ''], interrupting), inner.xml],
      [`${this.#id('f')}: ${start} -> ${inner.id}`],
    );
  }

  #caught(): string {
    const random = this.#random;
    switch (random.below(6)) {
      case 0:
        return on.message(random.pick(['M', 'K']));
      case 1:
        return on.signal('S');
      case 2:
        return on.timer(random.pick(['PT1S', 'P1D', 'PT0S', 'P999999Y', escape(`=${this.#expression()}`)]));
      case 3:
        return on.cycle(random.pick(['R3/PT1S', 'R/PT1S', 'R/2020-01-01T00:00:00Z/PT1H', '0 0 9 * * *']));
      default:
        return on.condition(`=${this.#expression()}`);
    }
  }

  #mappings(): string {
    const random = this.#random;
    if (random.chance(0.6)) return '';
    return extensions(
      `<zeebe:ioMapping>${random.chance(0.3) ? `<zeebe:input source="${escape(`=${this.#expression()}`)}" target="local"/>` : ''}<zeebe:output source="${escape(`=${this.#expression()}`)}" target="${random.pick(NAMES)}"/></zeebe:ioMapping>`,
    );
  }

  #repeated(): string {
    const random = this.#random;
    if (random.chance(0.8)) return '';
    if (random.chance(0.3))
      return standardLoop({
        condition: `=${this.#expression()}`,
        testBefore: random.chance(0.5),
        ...(random.chance(0.5) && { maximum: 1 + random.below(50) }),
      });
    return multiInstance(
      `=${random.chance(0.7) ? random.pick(['list', '[1,2,3]', 'for i in 1..1500 return i']) : this.#expression()}`,
      {
        sequential: random.chance(0.5),
        ...(random.chance(0.5) && { output: `=${this.#expression()}`, into: random.pick(NAMES) }),
      },
    );
  }

  #expression(): string {
    return this.#random.pick(EXPRESSIONS);
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#ids}`;
  }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Variables by the names that expressions know, or by worse ones. */
export function wildVariables(random: Random): Variables {
  const names = [...NAMES, 'x', 'y', 'list', '', '__proto__', 'constructor', 'a\u0000b', '\ud800'];
  const variables: Variables = {};
  for (let count = random.below(4); count > 0; count -= 1)
    Object.defineProperty(variables, random.pick(names), {
      value: wildValue(random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return variables;
}

/** Small ones most of the time, and one in twenty as large as it gets at a door. */
export function wildValue(random: Random): Json {
  if (random.chance(0.05))
    return random.pick<() => Json>([
      () => 'x'.repeat(random.below(900_000)),
      () => '\u20ac'.repeat(random.below(300_000)),
      () => Array.from({ length: random.below(20_000) }, (_, index) => index),
      () => deep(random.below(400)),
      () => '\u0000'.repeat(random.below(1000)),
    ])();
  return random.pick<Json>([
    0,
    1,
    2,
    3,
    -1,
    1e308,
    1e-7,
    0.1,
    2 ** 53,
    true,
    false,
    null,
    '',
    'a',
    'P1D',
    'a\u0000b',
    '\ud800',
    'x'.repeat(1000),
    [],
    [1, 2, 3],
    ['a', null, { a: 1 }],
    {},
    { a: 1 },
    { a: { b: [1] } },
    deep(30),
  ]);
}

function deep(levels: number): Json {
  let value: Json = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
