/**
 * Event definitions (BPMN 2.0.2 section 10.5.5): the triggers that events react to or throw, one file per definition.
 */
import type { Result } from '../failure.js';
import type { Node } from '../model/graph.js';
import type { Run } from '../run.js';
import type { Compiler, SourceElement } from '../model/source.js';
import type { ElementInstance } from '../state/state.js';

/** `WAITING`: the event continues once a job or a compensation is done. */
export type Thrown = 'THROWN' | 'WAITING';

export interface TriggerBehavior<T extends { kind: string }> {
  /** Reads the event definition; undefined after a reported error. */
  compile(definition: SourceElement, compiler: Compiler, event: SourceElement): T | undefined;
  /**
   * Starts waiting for it on behalf of `element`; `node` is the catching event. Absent: it originates inside the
   * instance.
   */
  listen?(run: Run, element: ElementInstance, node: Node, trigger: T): Result<void>;
  /** Throws it from `element`. Absent: it can only be caught. */
  throw?(run: Run, element: ElementInstance, node: Node, trigger: T): Result<Thrown>;
}
