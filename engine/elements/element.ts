/**
 * The life of an element, and what the file of one kind of element says about it.
 *
 * 1. A token reaches a node (`arrive`). Most nodes are entered at once; joining gateways let tokens wait.
 * 2. The node is entered: an element instance exists, its input mappings are evaluated, its boundary events
 *    listen, then `enter` runs. An element without work of its own calls `complete`; one that waits opens a
 *    wait (a job, a task, a timer, a child) and returns.
 * 3. What it waited for comes: `resume` runs, and calls `complete` or `fail`.
 * 4. `complete` evaluates output mappings, stops boundary events and takes the outgoing flows. `fail` looks for
 *    a handler and raises an incident where there is none; resolving it goes back to 2, without the mappings.
 * 5. Something else may end it at any time: `cancel` closes its waits and everything inside it.
 *
 * A behaviour calls the driver by name (`behaviors/activation.ts`) and records facts; it never changes state.
 */
import type { Variables } from '../json.js';
import type { Node, NodeBase } from '../graph.js';
import type { Run } from '../run.js';
import type { Compiler, SourceElement } from '../source.js';
import type { ElementInstance, Wait } from '../state.js';

/** The part of a node that its own file compiles; structure (flows, scopes, boundaries, mappings) comes from `bpmn/`. */
export type OwnPart<N extends NodeBase> = Omit<N, keyof NodeBase | 'inputs' | 'outputs' | 'boundary' | 'defaultFlow' | 'loop' | 'forCompensation' | 'kind' | 'start' | 'data' | 'handler'>;

export interface ElementBehavior<N extends Node> {
  /** Activities have mappings, boundary events and loops (BPMN 2.0.2 section 10.3). */
  isActivity?: true;
  /** Reads what is special to this kind of element and reports what is wrong with it. */
  compile(source: SourceElement, compiler: Compiler): OwnPart<N>;
  /** A token has reached the node: the first of `state.moving`. Absent: the node is entered with it. */
  arrive?(run: Run, node: N, scope: ElementInstance): void;
  /** The element begins, or begins again after its incident was resolved. `payload`: variables of the event that led here. */
  enter(run: Run, element: ElementInstance, node: N, payload?: Variables): void;
  /** Waits for an event from outside: once that has come it is not waited for again, even when an incident follows. */
  catches?: true;
  /** What the element waited for has come; the wait is closed already. */
  resume?(run: Run, element: ElementInstance, node: N, wait: Wait, payload?: Variables): void;
  /** Something directly inside the scope has completed. */
  insideCompleted?(run: Run, element: ElementInstance, node: N): void;
  /** A scope has nothing left inside. */
  insideDone?(run: Run, element: ElementInstance, node: N): void;
  /** Nothing moves, and it asked to go on then. */
  takeTurn?(run: Run, element: ElementInstance, node: N): void;
  /** The compensation it asked for is over. */
  compensated?(run: Run, element: ElementInstance, node: N): void;
  /** Everything inside the scope was ended by an event inside it: nothing else begins in it by itself. */
  interrupted?(run: Run, element: ElementInstance, node: N): void;
  /** A modification has begun the scope to place something inside: nothing in it begins by itself. */
  openedEmpty?(run: Run, element: ElementInstance, node: N): void;
  /** A modification places a token before the node, one that comes along no sequence flow. */
  placedBefore?(run: Run, node: N, scope: ElementInstance): void;
  /**
   * Tokens wait at the gateway and nothing moves any more.
   * @returns whether it went on
   */
  settle?(run: Run, node: N, scope: ElementInstance): boolean;
}
