/**
 * The compiled process, stored on deployment and interpreted by every instance.
 *
 * A graph is plain JSON, immutable and content-addressed. It contains what execution needs and nothing of the drawing:
 * nodes, sequence flows and resolved expressions.
 *
 * Vocabulary
 * - node: a flow node of BPMN 2.0.2 (event, activity, gateway), or the process itself
 * - flow: a sequence flow
 * - scope node: a node that contains nodes: the process and every kind of sub-process
 */
import type { FeelTree } from '@perdure/feel/tree.js';
import type { ExecutionListeners } from '../behaviors/listeners/definitions.js';
import type { AdHocFlowNode } from '../elements/ad-hoc-flow.js';
import type { AdHocSubProcessNode } from '../elements/ad-hoc-sub-process.js';
import type { BoundaryEventNode } from '../elements/boundary-event.js';
import type { BusinessRuleTaskNode } from '../elements/business-rule-task.js';
import type { CallActivityNode } from '../elements/call-activity.js';
import type { ComplexGatewayNode } from '../elements/complex-gateway.js';
import type { EndEventNode } from '../elements/end-event.js';
import type { EventBasedGatewayNode } from '../elements/event-based-gateway.js';
import type { EventSubProcessNode } from '../elements/event-sub-process.js';
import type { ExclusiveGatewayNode } from '../elements/exclusive-gateway.js';
import type { InclusiveGatewayNode } from '../elements/inclusive-gateway.js';
import type { IntermediateCatchEventNode } from '../elements/intermediate-catch-event.js';
import type { IntermediateThrowEventNode } from '../elements/intermediate-throw-event.js';
import type { ManualTaskNode } from '../elements/manual-task.js';
import type { ParallelGatewayNode } from '../elements/parallel-gateway.js';
import type { ProcessNode } from '../elements/process.js';
import type { ReceiveTaskNode } from '../elements/receive-task.js';
import type { ScriptTaskNode } from '../elements/script-task.js';
import type { SendTaskNode } from '../elements/send-task.js';
import type { ServiceTaskNode } from '../elements/service-task.js';
import type { StartEventNode } from '../elements/start-event.js';
import type { SubProcessNode } from '../elements/sub-process.js';
import type { TaskNode } from '../elements/task.js';
import type { TransactionNode } from '../elements/transaction.js';
import type { UserTaskNode } from '../elements/user-task.js';
import type { Json } from '../contract/json.js';

/** A value fixed at deployment, or a FEEL expression evaluated on use. */
export type Expression = { literal: Json } | { feel: FeelTree };

/** One `zeebe:input` or `zeebe:output`: assigns the value of `source` to the path `target`. */
export interface Mapping {
  source: Expression;
  /** Variable name, then member names: `order.total` is `['order', 'total']`. */
  target: string[];
}

/** Multi-instance or standard loop characteristics of an activity (BPMN 2.0.2 section 13.3.6 and 13.3.7). */
export type Loop =
  | {
      kind: 'multiInstance';
      sequential: boolean;
      /** Exactly one of the two is present: the items, or the number of instances. */
      collection?: Expression;
      cardinality?: Expression;
      inputElement?: string;
      outputCollection?: string;
      outputElement?: Expression;
      completionCondition?: Expression;
    }
  | { kind: 'standard'; condition?: Expression; testBefore: boolean; maximum?: Expression };

/** Properties of every node. */
export interface NodeBase {
  id: string;
  name?: string;
  /** The enclosing scope node; absent only for the process. */
  parent?: string;
  incoming: string[];
  outgoing: string[];
  /** Jobs around what the node does. */
  listeners?: ExecutionListeners;
}

/** How results leave a node. Without output mappings, all of them do. */
export interface Outputs {
  outputs?: Mapping[];
  /** Results leave it besides what its output mappings set (`perdure:keepResults`). */
  keepsResults?: true;
}

/** Properties of every activity (BPMN 2.0.2 section 10.3). */
export interface ActivityBase extends NodeBase, Outputs {
  inputs?: Mapping[];
  /** Boundary events attached to it. */
  boundary?: string[];
  defaultFlow?: string;
  loop?: Loop;
  /** Can only be reached by compensation (`isForCompensation`). */
  forCompensation?: boolean;
}

/** A data object with an initial value (BPMN 2.0.2 section 10.4.1): a variable of its scope. */
export interface DataObject {
  name: string;
  value: Expression;
}

/** Properties of the process and every kind of sub-process. */
export interface ScopeBase {
  /** Where it starts: the none start event; for an event sub-process, its single start event. */
  start?: string;
  data?: DataObject[];
}

export type Node =
  | ProcessNode
  | StartEventNode
  | EndEventNode
  | IntermediateCatchEventNode
  | IntermediateThrowEventNode
  | BoundaryEventNode
  | ServiceTaskNode
  | SendTaskNode
  | ReceiveTaskNode
  | UserTaskNode
  | ManualTaskNode
  | TaskNode
  | ScriptTaskNode
  | BusinessRuleTaskNode
  | ExclusiveGatewayNode
  | ParallelGatewayNode
  | InclusiveGatewayNode
  | EventBasedGatewayNode
  | ComplexGatewayNode
  | SubProcessNode
  | TransactionNode
  | AdHocSubProcessNode
  | AdHocFlowNode
  | EventSubProcessNode
  | CallActivityNode;

export type NodeKind = Node['kind'];
export type NodeOf<K extends NodeKind> = Extract<Node, { kind: K }>;
export type ActivityNode = Node & ActivityBase;

export interface Flow {
  id: string;
  source: string;
  target: string;
  condition?: Expression;
}

export interface Graph {
  format: 1;
  processID: string;
  processName?: string;
  versionTag?: string;
  /** The first is the process itself. */
  nodes: Node[];
  flows: Flow[];
}
