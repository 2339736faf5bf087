/**
 * Random models without any structure: every kind of node anywhere, flows to anywhere, events on everything. Most of them
 * make no sense, and each must still end, a wait or an incident.
 */
import {
  boundaryEvent,
  catchEvent,
  complexGateway,
  element,
  endEvent,
  eventSubProcess,
  extensions,
  multiInstance,
  on,
  processModel,
  receiveTask,
  root,
  scriptTask,
  sequenceFlows,
  serviceTask,
  standardLoop,
  startEvent,
  throwEvent,
  userTask,
} from '@perdure/testkit/models';
import type { Random } from './random.js';

const ROOTS = [
  ['M', 'N'].map((id) => root.message(id)),
  ['S', 'T'].map((id) => root.signal(id)),
  root.error('E'),
  root.escalation('X'),
];
const MAX_DEPTH = 3;
const JOB = 'w';
const NODES = [
  'service',
  'service',
  'service',
  'script',
  'user',
  'receive',
  'catch',
  'throw',
  'exclusive',
  'parallel',
  'inclusive',
  'complex',
  'scope',
  'scope',
  'call',
] as const;

/** @param drop chance of leaving out each event that listens, so that two versions of a process differ */
export function chaoticModel(random: Random, drop = 0): string {
  return processModel('p', [new Chaos(random, drop).inside('process', 0)], [], ROOTS);
}

type ScopeKind = 'process' | 'subProcess' | 'transaction' | 'adHocSubProcess' | 'eventSubProcess';

class Chaos {
  #ids = 0;
  #inTransaction = 0;

  constructor(
    private readonly random: Random,
    private readonly drop: number,
  ) {}

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  /** Everything inside a scope, its flows included. */
  inside(kind: ScopeKind, depth: number): string {
    const { random } = this;
    const parts: string[] = [];
    const nodes: string[] = [];
    const ends: string[] = [];
    const starts: string[] = [];
    const count = 1 + random.below(depth === 0 ? 8 : 4);
    if (kind === 'process' || ((kind === 'subProcess' || kind === 'transaction') && random.chance(0.8))) {
      const id = this.#id('s');
      parts.push(startEvent(id));
      starts.push(id);
    }
    for (let index = 0; index < count; index += 1) {
      // An ad-hoc sub-process in which nothing can begin is refused.
      const { id, xml } = this.#node(depth, kind === 'adHocSubProcess' && index === 0 ? 'service' : random.pick(NODES));
      parts.push(xml);
      nodes.push(id);
    }
    const endCount = kind === 'adHocSubProcess' ? random.below(2) : 1 + random.below(2);
    for (let index = 0; index < endCount; index += 1) {
      const id = this.#id('e');
      parts.push(endEvent(id, this.#thrown(true)));
      ends.push(id);
    }
    const boundaries = this.#boundaries;
    this.#boundaries = [];
    if (depth < MAX_DEPTH) while (random.chance(0.3)) parts.push(this.#eventSubProcess(depth + 1));
    // A sub-process in which every node has an incoming flow, and no start event, is refused.
    const entry = starts.length === 0 && /^(subProcess|transaction)$/.test(kind) ? nodes[0] : undefined;
    return parts.join('') + this.#flows(starts, nodes, ends, [...boundaries], entry);
  }

  /** Boundary events of the scope at hand that lead somewhere. */
  #boundaries: { id: string; host: string }[] = [];

  #node(depth: number, kind: (typeof NODES)[number]): { id: string; xml: string } {
    const { random } = this;
    // Only from a job does a flow lead back.
    const id = this.#id(kind === 'service' ? JOB : kind[0]!);
    switch (kind) {
      case 'service':
        return {
          id,
          xml: this.#activity(id, (inner) =>
            serviceTask(id, { type: 'work', extensions: inner.extension, loop: inner.children }),
          ),
        };
      case 'script':
        return {
          id,
          xml: this.#activity(id, (inner) =>
            scriptTask(id, random.pick(['=not(go)', '=bad', '=true', '=missing']), random.pick(['go', 'bad', 'x']), {
              extensions: inner.extension,
              loop: inner.children,
            }),
          ),
        };
      case 'user':
        return {
          id,
          xml: this.#activity(id, (inner) => userTask(id, { extensions: inner.extension, loop: inner.children })),
        };
      case 'receive':
        return {
          id,
          xml: this.#activity(id, (inner) =>
            receiveTask(id, random.pick(['M', 'N']), { extensions: inner.extension, loop: inner.children }),
          ),
        };
      case 'call':
        return {
          id,
          xml: this.#activity(
            id,
            (inner) =>
              `<bpmn:callActivity id="${id}" calledElement="other">${extensions(inner.extension)}${inner.children}</bpmn:callActivity>`,
          ),
        };
      case 'catch':
        return { id, xml: catchEvent(id, this.#caught(), random.chance(0.2) ? { parallelMultiple: true } : {}) };
      case 'throw':
        return { id, xml: throwEvent(id, this.#thrown(false)) };
      case 'scope':
        return depth >= MAX_DEPTH ? { id, xml: serviceTask(id) } : { id, xml: this.#scope(id, depth + 1) };
      case 'complex':
        return {
          id,
          xml: complexGateway(id, {
            activationCondition: random.chance(0.7) ? `=activationCount >= ${1 + random.below(2)}` : undefined,
          }),
        };
      default:
        return { id, xml: element(`${kind}Gateway`, { id: id }) };
    }
  }

  #scope(id: string, depth: number): string {
    const kind = this.random.pick(['subProcess', 'subProcess', 'transaction', 'adHocSubProcess'] as const);
    const outer = this.#boundaries;
    this.#boundaries = [];
    if (kind === 'transaction') this.#inTransaction += 1;
    const body = this.inside(kind, depth);
    if (kind === 'transaction') this.#inTransaction -= 1;
    this.#boundaries = outer;
    const condition =
      kind === 'adHocSubProcess' && this.random.chance(0.75)
        ? `<bpmn:completionCondition>${this.random.pick(['=go', '=bad', '=true'])}</bpmn:completionCondition>`
        : '';
    const sequential = kind === 'adHocSubProcess' && this.random.chance(0.5) ? 'ordering="Sequential"' : '';
    const keeps = kind === 'adHocSubProcess' && this.random.chance(0.3) ? 'cancelRemainingInstances="false"' : '';
    const first = /<bpmn:(?:serviceTask|scriptTask|userTask|receiveTask|subProcess|callActivity) id="([a-z]\d+)"/.exec(
      body,
    )?.[1];
    const active =
      kind === 'adHocSubProcess' && first && this.random.chance(0.6)
        ? `<zeebe:adHoc activeElementsCollection="=[&quot;${first}&quot;]"/>`
        : '';
    // Without a draw, so that the kept seeds keep their models. The worker needs something that it can activate.
    const isDriven =
      kind === 'adHocSubProcess' &&
      first !== undefined &&
      !body.includes(`targetRef="${first}"`) &&
      Number(id.slice(1)) % 2 === 0;
    const own = isDriven
      ? '<zeebe:taskDefinition type="decide"/><zeebe:adHoc outputCollection="all" outputElement="=go"/>'
      : active;
    return this.#activity(
      id,
      (inner) =>
        `<bpmn:${kind} id="${id}" ${sequential} ${keeps}>${extensions([own, inner.extension])}${inner.children}${body}${isDriven ? '' : condition}</bpmn:${kind}>`,
      kind,
    );
  }

  /** An activity with a loop, mappings, boundary events, a compensation handler, as it comes. */
  #activity(id: string, write: (inner: { extension: string; children: string }) => string, kind = 'task'): string {
    const { random } = this;
    const children = random.chance(0.2)
      ? random.chance(0.7)
        ? multiInstance('=[1,2]', { sequential: random.chance(0.5), ...(random.chance(0.3) && { until: '=go' }) })
        : standardLoop({ maximum: 2 })
      : '';
    const extension = random.chance(0.2)
      ? `<zeebe:ioMapping>${random.chance(0.5) ? `<zeebe:input source="=${random.pick(['go', 'missing'])}" target="local"/>` : `<zeebe:output source="=${random.pick(['bad', 'missing'])}" target="${random.pick(['go', 'bad'])}"/>`}</zeebe:ioMapping>`
      : '';
    const parts = [write({ extension, children })];
    if (random.chance(0.35)) {
      const handler = this.#id('u');
      const event = this.#id('b');
      parts.push(
        random.chance(0.5)
          ? serviceTask(handler, { type: 'undo', isForCompensation: true })
          : `<bpmn:task id="${handler}" isForCompensation="true"/>`,
      );
      parts.push(
        boundaryEvent(event, id, on.compensation()),
        `<bpmn:association id="${this.#id('as')}" associationDirection="One" sourceRef="${event}" targetRef="${handler}"/>`,
      );
    }
    if (kind === 'transaction' && random.chance(0.7)) parts.push(this.#boundary(id, on.cancel, true));
    while (random.chance(0.25)) {
      const strict = random.chance(0.3);
      const definitions = strict
        ? on.error(random.chance(0.5) ? 'E' : undefined)
        : random.chance(0.3)
          ? on.escalation(random.chance(0.5) ? 'X' : undefined)
          : this.#caught();
      parts.push(this.#boundary(id, definitions, strict || random.chance(0.5)));
    }
    return parts.join('');
  }

  #boundary(host: string, definitions: string, interrupting: boolean): string {
    const id = this.#id('b');
    const dropped = this.random.chance(this.drop);
    if (dropped) return '';
    this.#boundaries.push({ id, host });
    return boundaryEvent(id, host, definitions, interrupting ? {} : { interrupting: false });
  }

  #caught(): string {
    const one = () =>
      this.random.pick([
        on.message('M'),
        on.message('N'),
        on.signal('S'),
        on.signal('T'),
        on.timer('PT1M'),
        on.condition('=go'),
        on.condition('=bad'),
      ]);
    const first = one();
    if (!this.random.chance(0.2)) return first;
    const second = one();
    return first === second ? first : first + second;
  }

  #thrown(isEnd: boolean): string {
    const kinds = [
      '',
      '',
      on.escalation('X'),
      on.signal('S'),
      on.compensation(),
      on.compensation({ waitForCompletion: false }),
      ...(isEnd ? ['', on.error('E'), on.terminate, ...(this.#inTransaction > 0 ? [on.cancel] : [])] : []),
    ];
    return this.random.pick(kinds);
  }

  #eventSubProcess(depth: number): string {
    const { random } = this;
    const id = this.#id('h');
    const start = this.#id('hs');
    const strict = random.chance(0.4);
    const definitions = strict
      ? random.pick([on.error('E'), on.error(), on.compensation()])
      : random.chance(0.3)
        ? on.escalation('X')
        : this.#caught();
    const options = strict || random.chance(0.5) ? {} : { interrupting: false };
    const outer = this.#boundaries;
    this.#boundaries = [];
    const body = this.inside('eventSubProcess', depth);
    this.#boundaries = outer;
    if (random.chance(this.drop)) return '';
    const [first] = /id="([a-z]\d+)"/.exec(body)!.slice(1);
    return eventSubProcess(
      id,
      [startEvent(start, definitions, options), body],
      first === undefined ? '' : `${this.#id('f')}: ${start} -> ${first}`,
    );
  }

  /** Forward along the order of the nodes, so that nothing goes round without a wait. */
  #flows(
    starts: string[],
    nodes: string[],
    ends: string[],
    boundaries: { id: string; host: string }[],
    /** A node that no flow may lead to. */
    entry: string | undefined,
  ): string {
    const { random } = this;
    const lines: string[] = [];
    const add = (from: string, to: string, condition = '') =>
      lines.push(`${this.#id('f')}: ${from} -> ${to}${condition}`);
    const later = (index: number) => random.pick([...nodes.slice(index + 1), ...ends, ...nodes.slice(index + 1)]);
    for (const start of starts) add(start, nodes[0]!);
    for (const [index, node] of nodes.entries()) {
      const isGateway = /^[epi]\d/.test(node);
      for (let left = random.below(isGateway ? 4 : 3); left > 0; left -= 1) {
        const back = node.startsWith(JOB) && random.chance(0.1);
        const to = back ? random.pick(nodes) : later(index);
        if (to !== undefined && to !== entry)
          add(
            node,
            to,
            isGateway && !node.startsWith('p') && random.chance(0.3)
              ? ` =${random.pick(['go', 'bad', 'go or bad'])}`
              : '',
          );
      }
    }
    for (const { id, host } of boundaries) {
      const to = later(nodes.indexOf(host));
      if (to !== undefined && random.chance(0.8)) add(id, to);
    }
    return sequenceFlows(lines.join('\n'));
  }
}
