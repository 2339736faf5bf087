/** Blocks to a BPMN file. */
import { boundary, catchEvent, compensatedBy, endEvent, eventSubProcess, forEach, gateway, loop, on, processModel, root, scope, scriptTask, serviceTask, startEvent, throwEvent } from '../../hosts/model.js';
import type { Block, Boundary } from './blocks.js';

/** A drawn block: where a token enters it and where it leaves; without `last` it never does. */
interface Drawn {
  first: string;
  last?: string;
}

class Drawing {
  body = '';
  flows = '';
  readonly #roots: Map<string, string>;
  #flowCount = 0;
  readonly #prefix: string;

  constructor(prefix: string, roots: Map<string, string>) {
    this.#prefix = prefix;
    this.#roots = roots;
  }

  flow(source: string, target: string, condition = '', id?: string): void {
    this.#flowCount += 1;
    this.flows += `${id ?? `${this.#prefix}_f${this.#flowCount}`}: ${source} -> ${target}${condition && ` ${condition}`}\n`;
  }

  /** Start event, block, end event. */
  whole(block: Block, start: string): this {
    this.body += start;
    const drawn = this.draw(block);
    this.flow(`${this.#prefix}_start`, drawn.first);
    this.end(drawn, `${this.#prefix}_end`);
    return this;
  }

  end({ last }: Drawn, id: string): void {
    if (last === undefined) return;
    this.body += endEvent(id);
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
        return this.single(block.id, scriptTask(block.id, `=if ${block.id}_fixed then 1 else 1 / 0`, `${block.id}_result`));
      case 'undoable':
        return this.single(block.id, serviceTask(block.id) + compensatedBy(block.id, `U${block.id}`) + scriptTask(`U${block.id}`, `=append(trail, "${block.id}")`, 'trail', '', 'isForCompensation="true"'));
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
        this.body += serviceTask(`${block.id}_job`) + endEvent(block.id, on.error('E'));
        this.flow(`${block.id}_job`, block.id);
        return { first: `${block.id}_job` };
      case 'escalate':
        this.root('X', root.escalation('X'));
        this.body += serviceTask(`${block.id}_job`) + throwEvent(block.id, on.escalation('X'));
        this.flow(`${block.id}_job`, block.id);
        return { first: `${block.id}_job`, last: block.id };
      case 'sequence':
        return block.blocks.map((part) => this.draw(part)).reduce((before, after) => {
          this.flow(before.last!, after.first);
          return { first: before.first, ...(after.last && { last: after.last }) };
        });
      case 'choice':
        return this.fork('exclusive', block.id, block.branches, block.branches.map((_, index) => `=${block.id}_taken = ${index}`));
      case 'parallel':
        return this.fork('parallel', block.id, block.branches, block.branches.map(() => ''));
      case 'inclusive':
        return this.fork('inclusive', block.id, block.branches, block.branches.map((_, index) => (index === 0 ? '' : `=${block.id}_taken[${index + 1}]`)), true);
      case 'events': {
        this.body += gateway('eventBased', block.id) + gateway('exclusive', `${block.id}_merge`);
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
        this.body += gateway('exclusive', `${block.id}_merge`) + scriptTask(`${block.id}_add`, `=${block.id}_round + 1`, `${block.id}_round`) + gateway('exclusive', block.id, `default="${block.id}_on"`) + gateway('exclusive', `${block.id}_out`);
        const body = this.draw(block.body);
        this.flow(`${block.id}_merge`, body.first);
        this.flow(body.last!, `${block.id}_add`);
        this.flow(`${block.id}_add`, block.id);
        this.flow(block.id, `${block.id}_merge`, `=modulo(${block.id}_round, ${block.times}) != 0`);
        this.flow(block.id, `${block.id}_out`, '', `${block.id}_on`);
        return { first: `${block.id}_merge`, last: `${block.id}_out` };
      }
      case 'each': {
        const inside = new Drawing(block.id, this.#roots).whole(block.body, startEvent(`${block.id}_start`));
        const characteristics = block.mode === 'loop' ? loop({ testBefore: true, condition: `=loopCounter < ${block.times}` }) : forEach(`=[${Array.from({ length: block.times }, (_, index) => index).join(', ')}]`, { sequential: block.mode === 'sequential', output: '=loopCounter', into: `${block.id}_counters` });
        return this.single(block.id, scope('subProcess', block.id, inside.body + characteristics, inside.flows));
      }
      case 'sub': {
        const inside = new Drawing(block.id, this.#roots).whole(block.body, startEvent(`${block.id}_start`));
        if (block.handler) {
          const { id, interrupting, body } = block.handler;
          const handler = new Drawing(id, this.#roots).whole(body, startEvent(`${id}_start`, this.message(id), `isInterrupting="${interrupting}"`));
          inside.body += eventSubProcess(id, handler.body, handler.flows);
        }
        this.single(block.id, scope('subProcess', block.id, inside.body, inside.flows));
        return block.boundary ? this.withBoundary(block.id, block.boundary) : { first: block.id, last: block.id };
      }
    }
  }

  /** An interrupting boundary event leads back to where the sub-process would have gone; another one to an end event. */
  withBoundary(host: string, given: Boundary): Drawn {
    this.body += boundary(given.id, host, this.definition(given), `cancelActivity="${given.interrupting}"`);
    const handler = this.draw(given.then);
    this.flow(given.id, handler.first);
    if (!given.interrupting) {
      this.end(handler, `${given.id}_end`);
      return { first: host, last: host };
    }
    const merge = `${given.id}_merge`;
    this.body += gateway('exclusive', merge);
    this.flow(host, merge);
    if (handler.last) this.flow(handler.last, merge);
    return { first: host, last: merge };
  }

  definition(given: Boundary): string {
    switch (given.on) {
      case 'error':
        return on.error();
      case 'escalation':
        return on.escalation();
      case 'timer':
        return on.timer(duration(given.ms));
      case 'message':
        return this.message(given.id);
    }
  }

  fork(kind: 'exclusive' | 'parallel' | 'inclusive', id: string, branches: Block[], conditions: string[], firstIsDefault = false): Drawn {
    const join = `${id}_join`;
    this.body += gateway(kind, id, firstIsDefault ? `default="${id}_default"` : '') + gateway(kind, join);
    for (const [index, branch] of branches.entries()) {
      const drawn = this.draw(branch);
      this.flow(id, drawn.first, conditions[index], firstIsDefault && index === 0 ? `${id}_default` : undefined);
      if (drawn.last) this.flow(drawn.last, join);
    }
    return { first: id, last: join };
  }

  single(id: string, xml: string): Drawn {
    this.body += xml;
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

/** The file of one process called `p`. */
export function bpmnOf(block: Block): string {
  const roots = new Map<string, string>();
  const drawing = new Drawing('p', roots).whole(block, startEvent('p_start'));
  return processModel('p', drawing.body, drawing.flows, [...roots.values()].join(''));
}

function duration(ms: number): string {
  return `PT${(ms / 1000).toFixed(3)}S`;
}
