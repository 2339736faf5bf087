/** Blocks to a BPMN file. */
import {
  adHocSubProcess,
  boundaryEvent,
  bpmnProcess,
  catchEvent,
  compensatedBy,
  complexGateway,
  definitions,
  element,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  throwEvent,
  transaction,
  type Xml,
} from '@perdure/testkit/models';
import type { Block, Boundary } from './blocks.js';

/** A drawn block: where a token enters it and where it leaves; without `last` it never does. */
interface Drawn {
  first: string;
  last?: string;
}

class Drawing {
  readonly body: Xml[] = [];
  flows = '';
  readonly #roots: Map<string, string>;
  #flowCount = 0;
  readonly #prefix: string;
  /** The processes that are called. */
  readonly #processes: string[];

  constructor(prefix: string, roots: Map<string, string>, processes: string[]) {
    this.#prefix = prefix;
    this.#roots = roots;
    this.#processes = processes;
  }

  flow(source: string, target: string, condition = '', id?: string): void {
    this.#flowCount += 1;
    this.flows += `${id ?? `${this.#prefix}_f${this.#flowCount}`}: ${source} -> ${target}${condition && ` ${condition}`}\n`;
  }

  /** Start event, block, end event. */
  whole(block: Block, start: string): this {
    this.body.push(start);
    const drawn = this.draw(block);
    this.flow(`${this.#prefix}_start`, drawn.first);
    this.end(drawn, `${this.#prefix}_end`);
    return this;
  }

  end({ last }: Drawn, id: string): void {
    if (last === undefined) return;
    this.body.push(endEvent(id));
    this.flow(last, id);
  }

  draw(block: Block): Drawn {
    switch (block.kind) {
      case 'job':
        return this.single(block.id, serviceTask(block.id));
      case 'user':
        return this.single(block.id, `<bpmn:userTask id="${block.id}"/>`);
      case 'script':
        return this.single(block.id, scriptTask(block.id, `=${block.id}_count + 1`, `${block.id}_count`));
      case 'failing':
        return this.single(
          block.id,
          scriptTask(block.id, `=if ${block.id}_fixed then 1 else 1 / 0`, `${block.id}_result`),
        );
      case 'undoable':
        return this.single(block.id, [
          serviceTask(block.id),
          compensatedBy(block.id, `U${block.id}`),
          scriptTask(`U${block.id}`, `=append(trail, "${block.id}")`, 'trail', { isForCompensation: true }),
        ]);
      case 'rollback':
        return this.single(block.id, throwEvent(block.id, on.compensation()));
      case 'message':
        return this.single(block.id, catchEvent(block.id, this.message(block.id)));
      case 'signal':
        this.root('shared', root.signal('shared'));
        return this.single(block.id, catchEvent(block.id, on.signal('shared')));
      case 'timer':
        return this.single(block.id, catchEvent(block.id, on.timer(duration(block.ms))));
      case 'throw':
        this.root('E', root.error('E'));
        return this.lastJob(block.id, on.error('E'));
      case 'escalate':
        this.root('X', root.escalation('X'));
        this.body.push(serviceTask(`${block.id}_job`), throwEvent(block.id, on.escalation('X')));
        this.flow(`${block.id}_job`, block.id);
        return { first: `${block.id}_job`, last: block.id };
      case 'terminate':
        return this.lastJob(block.id, on.terminate);
      case 'cancel':
        return this.lastJob(block.id, on.cancel);
      case 'shout':
        this.root('shared', root.signal('shared'));
        this.body.push(
          serviceTask(`${block.id}_job`),
          throwEvent(block.id, '<bpmn:signalEventDefinition signalRef="shared" zeebe:ttl="PT0S"/>'),
          serviceTask(`${block.id}_after`),
        );
        this.flow(`${block.id}_job`, block.id);
        this.flow(block.id, `${block.id}_after`);
        return { first: `${block.id}_job`, last: `${block.id}_after` };
      case 'condition':
        return this.single(block.id, catchEvent(block.id, on.condition(`=${block.id}_ok`)));
      case 'link':
        this.body.push(throwEvent(block.id, on.link(block.id)), catchEvent(`${block.id}_to`, on.link(block.id)));
        return { first: block.id, last: `${block.id}_to` };
      case 'rule':
        return this.single(
          block.id,
          `<bpmn:businessRuleTask id="${block.id}">${extensions(`<zeebe:calledDecision decisionId="${DECISION}" resultVariable="${block.id}_result"/>`)}</bpmn:businessRuleTask>`,
        );
      case 'sequence':
        return block.blocks
          .map((part) => this.draw(part))
          .reduce((before, after) => {
            this.flow(before.last!, after.first);
            return { first: before.first, ...(after.last && { last: after.last }) };
          });
      case 'choice':
        return this.fork(
          'exclusive',
          block.id,
          block.branches,
          block.branches.map((_, index) => `=${block.id}_taken = ${index}`),
        );
      case 'parallel':
        return this.fork(
          'parallel',
          block.id,
          block.branches,
          block.branches.map(() => ''),
        );
      case 'inclusive':
        return this.fork(
          'inclusive',
          block.id,
          block.branches,
          block.branches.map((_, index) => (index === 0 ? '' : `=${block.id}_taken[${index + 1}]`)),
          true,
        );
      case 'events': {
        this.body.push(eventBasedGateway(block.id), exclusiveGateway(`${block.id}_merge`));
        for (const { event, then } of block.branches) {
          const caught = this.draw(event);
          const after = this.draw(then);
          this.flow(block.id, caught.first);
          this.flow(caught.last!, after.first);
          if (after.last) this.flow(after.last, `${block.id}_merge`);
        }
        return { first: block.id, last: `${block.id}_merge` };
      }
      case 'repeat': {
        this.body.push(
          exclusiveGateway(`${block.id}_merge`),
          scriptTask(`${block.id}_add`, `=${block.id}_round + 1`, `${block.id}_round`),
          exclusiveGateway(block.id, { default: `${block.id}_on` }),
          exclusiveGateway(`${block.id}_out`),
        );
        const body = this.draw(block.body);
        this.flow(`${block.id}_merge`, body.first);
        this.flow(body.last!, `${block.id}_add`);
        this.flow(`${block.id}_add`, block.id);
        this.flow(block.id, `${block.id}_merge`, `=modulo(${block.id}_round, ${block.times}) != 0`);
        this.flow(block.id, `${block.id}_out`, '', `${block.id}_on`);
        return { first: `${block.id}_merge`, last: `${block.id}_out` };
      }
      case 'each': {
        const inside = this.inside(block.id, block.body);
        const characteristics =
          block.mode === 'loop' || block.mode === 'until'
            ? standardLoop({ testBefore: block.mode === 'loop', condition: `=loopCounter < ${block.times}` })
            : multiInstance(`=[${Array.from({ length: block.times }, (_, index) => index).join(', ')}]`, {
                sequential: block.mode === 'sequential',
                output: '=loopCounter',
                into: `${block.id}_counters`,
              });
        return this.single(block.id, subProcess(block.id, [inside.body, characteristics], inside.flows));
      }
      case 'sub': {
        const inside = this.inside(block.id, block.body);
        if (block.handler) {
          const { id, interrupting, body } = block.handler;
          const handler = this.inside(
            id,
            body,
            startEvent(`${id}_start`, this.definition(block.handler), { interrupting: interrupting }),
          );
          inside.body.push(eventSubProcess(id, [handler.body], handler.flows));
        }
        this.single(block.id, subProcess(block.id, [inside.body], inside.flows));
        return block.boundary ? this.withBoundary(block.id, block.boundary) : { first: block.id, last: block.id };
      }
      case 'transaction': {
        const inside = this.inside(block.id, block.body);
        this.single(block.id, transaction(block.id, [inside.body], inside.flows));
        return this.leftBy(block.id, `${block.id}_canceled`, on.cancel, block.canceled);
      }
      case 'complex': {
        const join = `${block.id}_join`;
        this.body.push(complexGateway(join, { activationCondition: `=activationCount >= ${block.needed}` }));
        return this.branches(parallelGateway(block.id), block.id, join, block.branches);
      }
      case 'adHoc':
        return this.single(block.id, this.adHoc(block));
      case 'call': {
        const process = `${block.id}_process`;
        const inside = this.inside(process, block.body);
        this.#processes.push(bpmnProcess(process, inside.body, inside.flows));
        this.single(
          block.id,
          `<bpmn:callActivity id="${block.id}">${extensions(`<zeebe:calledElement processId="${process}" propagateAllChildVariables="false"/>`)}</bpmn:callActivity>`,
        );
        return block.boundary ? this.withBoundary(block.id, block.boundary) : { first: block.id, last: block.id };
      }
    }
  }

  inside(prefix: string, block: Block, start = startEvent(`${prefix}_start`)): Drawing {
    return new Drawing(prefix, this.#roots, this.#processes).whole(block, start);
  }

  /** A job, then an end event. */
  lastJob(id: string, definition: string): Drawn {
    this.body.push(serviceTask(`${id}_job`), endEvent(id, definition));
    this.flow(`${id}_job`, id);
    return { first: `${id}_job` };
  }

  adHoc({ id, works, enough, sequential, keepsRemaining }: Extract<Block, { kind: 'adHoc' }>): string {
    const wanted = `[${works.map((work) => `&quot;${work}&quot;`).join(', ')}]`;
    const counted = extensions([
      `<zeebe:adHoc activeElementsCollection="=${wanted}"/>`,
      `<zeebe:ioMapping><zeebe:input source="=0" target="${id}_n"/></zeebe:ioMapping>`,
    ]);
    const inside = works.map((work) => [serviceTask(work), scriptTask(`${work}_count`, `=${id}_n + 1`, `${id}_n`)]);
    const flows = works.map((work) => `${work}_then: ${work} -> ${work}_count`).join('\n');
    return adHocSubProcess(id, [counted, inside], flows, {
      ordering: sequential ? 'Sequential' : 'Parallel',
      cancelRemainingInstances: !keepsRemaining,
      until: `=${id}_n >= ${enough}`,
    });
  }

  /** An interrupting boundary event leads back to where the sub-process would have gone; another one to an end event. */
  withBoundary(host: string, given: Boundary): Drawn {
    this.body.push(boundaryEvent(given.id, host, this.definition(given), { interrupting: given.interrupting }));
    const handler = this.draw(given.then);
    this.flow(given.id, handler.first);
    if (!given.interrupting) {
      this.end(handler, `${given.id}_end`);
      return { first: host, last: host };
    }
    return this.merged(host, handler, `${given.id}_merge`);
  }

  /** An interrupting boundary event that is there for this activity alone. */
  leftBy(host: string, id: string, definition: string, then: Block): Drawn {
    this.body.push(boundaryEvent(id, host, definition));
    const handler = this.draw(then);
    this.flow(id, handler.first);
    return this.merged(host, handler, `${id}_merge`);
  }

  merged(host: string, handler: Drawn, merge: string): Drawn {
    this.body.push(exclusiveGateway(merge));
    this.flow(host, merge);
    if (handler.last) this.flow(handler.last, merge);
    return { first: host, last: merge };
  }

  definition(given: { on: Boundary['on']; id: string; ms?: number }): string {
    switch (given.on) {
      case 'error':
        return on.error();
      case 'escalation':
        return on.escalation();
      case 'timer':
        return on.timer(duration(given.ms!));
      case 'message':
        return this.message(given.id);
    }
  }

  fork(
    kind: 'exclusive' | 'parallel' | 'inclusive',
    id: string,
    branches: Block[],
    conditions: string[],
    firstIsDefault = false,
  ): Drawn {
    const join = `${id}_join`;
    this.body.push(element(`${kind}Gateway`, { id: join }));
    return this.branches(
      element(`${kind}Gateway`, { id: id, ...(firstIsDefault ? { default: `${id}_default` } : {}) }),
      id,
      join,
      branches,
      conditions,
      firstIsDefault,
    );
  }

  branches(
    fork: string,
    id: string,
    join: string,
    branches: Block[],
    conditions: string[] = [],
    firstIsDefault = false,
  ): Drawn {
    this.body.push(fork);
    for (const [index, branch] of branches.entries()) {
      const drawn = this.draw(branch);
      this.flow(id, drawn.first, conditions[index], firstIsDefault && index === 0 ? `${id}_default` : undefined);
      if (drawn.last) this.flow(drawn.last, join);
    }
    return { first: id, last: join };
  }

  single(id: string, xml: Xml): Drawn {
    this.body.push(xml);
    return { first: id, last: id };
  }

  message(node: string): string {
    const id = `m_${node}`;
    this.root(id, root.message(id));
    return on.message(id);
  }

  root(id: string, xml: string): void {
    this.#roots.set(id, xml);
  }
}

/** The decision of business rule tasks: it doubles the variable `amount`. */
export const DECISION = 'double';

/** One file with process `p` and the processes that it calls. */
export function bpmnOf(block: Block): string {
  const roots = new Map<string, string>();
  const called: string[] = [];
  const drawing = new Drawing('p', roots, called).whole(block, startEvent('p_start'));
  return definitions([...roots.values(), bpmnProcess('p', drawing.body, drawing.flows), ...called]);
}

function duration(ms: number): string {
  return `PT${(ms / 1000).toFixed(3)}S`;
}
