/**
 * The life cycle of an element, and the interface that each kind of element implements.
 *
 * 1. A token reaches a node (`arrive`). Most nodes are entered at once; joining gateways make tokens wait.
 * 2. The node is entered: an element instance exists, its input mappings are evaluated, its boundary events
 *    listen, then `enter` runs. An element without work calls `complete`; one that waits opens a
 *    wait (a job, a task, a timer, a child) and returns.
 * 3. What it waits for arrives: `resume` runs, and calls `complete` or `fail`.
 * 4. `complete` evaluates output mappings, stops boundary events and takes the outgoing flows. `fail` looks for
 *    a handler and raises an incident if none exists. Resolving the incident returns to 2, without the mappings.
 * 5. Something else may end it at any time: `cancel` closes its waits and everything inside it.
 *
 * A behavior calls the driver by name (`behaviors/lifecycle/activation.ts`) and records facts; it never changes state.
 */
import type { Variables } from '../contract/json.js';
import type { Node, NodeBase, Outputs } from '../model/graph.js';
import type { Run } from '../run.js';
import type { Compiler, SourceElement } from '../model/source.js';
import type { ElementInstance, Wait } from '../state/state.js';

/**
 * The part of a node that its element file compiles. The structure (flows, scopes, boundaries, mappings) comes from
 * `bpmn/`.
 */
type OwnPart<N extends NodeBase> = Omit<
  N,
  | keyof NodeBase
  | keyof Outputs
  | 'inputs'
  | 'boundary'
  | 'defaultFlow'
  | 'loop'
  | 'forCompensation'
  | 'kind'
  | 'start'
  | 'data'
  | 'handler'
>;

export interface ElementBehavior<N extends Node> {
  /** Activities have mappings, boundary events and loops (BPMN 2.0.2 section 10.3). */
  isActivity?: true;
  /** Compiles the properties of this kind of element and reports problems. */
  compile(source: SourceElement, compiler: Compiler): OwnPart<N>;
  /** Called when a token, the first of `state.moving`, has reached the node. Absent: the node is entered with it. */
  arrive?(run: Run, node: N, scope: ElementInstance): void;
  /**
   * Starts the element, or starts it again after its incident was resolved. `payload`: variables of the event that led
   * here.
   */
  enter(run: Run, element: ElementInstance, node: N, payload?: Variables): void;
  /** Opens the wait of an imported element: what comes before it has happened in the other system (default: `enter`). */
  enterImported?(run: Run, element: ElementInstance, node: N): void;
  /**
   * Whether it waits for an external event. Once the event has occurred, it is not waited for again, even after an
   * incident.
   */
  catches?: true;
  /** Called when what the element waited for has arrived; the wait is already closed. */
  resume?(run: Run, element: ElementInstance, node: N, wait: Wait, payload?: Variables): void;
  /**
   * Called when an event that listened on `host` has occurred: starts the boundary event or event sub-process. Called
   * again, also for an end event, after the listeners of the user tasks that it interrupts.
   * @param as how history shows the end of an interrupted host
   */
  fire?(run: Run, host: ElementInstance, node: N, payload?: Variables, as?: 'ELEMENT_FAILED'): void;
  /** Called when something directly inside the scope has completed. */
  insideCompleted?(run: Run, element: ElementInstance, node: N): void;
  /** Called when the scope has nothing left inside. */
  insideDone?(run: Run, element: ElementInstance, node: N): void;
  /** Runs the continuation that the element scheduled, once nothing moves. */
  onContinue?(run: Run, element: ElementInstance, node: N): void;
  /** Called when the compensation that it requested is done. */
  compensated?(run: Run, element: ElementInstance, node: N): void;
  /**
   * Called when an event inside the scope has ended everything in it: nothing else starts there without being
   * triggered.
   */
  interrupted?(run: Run, element: ElementInstance, node: N): void;
  /**
   * Called when a modification has started the scope to place a token inside: nothing in it starts without being
   * triggered.
   */
  openedEmpty?(run: Run, element: ElementInstance, node: N): void;
  /** Called when a modification places a token before the node, without a sequence flow. */
  placedBefore?(run: Run, node: N, scope: ElementInstance): void;
  /**
   * Called when tokens wait at the gateway and nothing moves.
   * @returns whether the gateway continued
   */
  fireJoin?(run: Run, node: N, scope: ElementInstance): boolean;
}
