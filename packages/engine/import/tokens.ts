/** The tokens: at nodes that wait, at joins, and at nodes that start afresh. */
import { setLocal, variableScopeOf } from '../behaviors/data/variables.js';
import { enterNode } from '../behaviors/lifecycle/activation.js';
import { skipStart } from '../behaviors/listeners/progress.js';
import { placeBefore, whyNotPlaceable } from '../behaviors/lifecycle/placement.js';
import type { ImportedToken } from '../contract/imported.js';
import type { ActivityNode, Node } from '../model/graph.js';
import { behaviorOf } from '../registry.js';
import { record } from '../run.js';
import { containerOf, PROCESS, report, type At, type Draft } from './draft.js';
import { checkListeners } from './listeners.js';
import { enterActivity } from './loops.js';
import { openWait } from './waits.js';
import type { ElementInstance } from '../state/state.js';

const JOINS: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'parallelGateway',
  'inclusiveGateway',
  'complexGateway',
]);

export function enterToken(draft: Draft, token: ImportedToken, tokenIndex: number): void {
  const { nodeID, scopeKey = PROCESS } = token;
  const at: At = { path: `tokens[${tokenIndex}]`, tokenIndex, nodeID };
  const node = draft.run.model.find(nodeID);
  if (!node) return report(draft, at, `the process has no node ${nodeID}`, '.nodeID');
  const unreachable = whyNotPlaceable(draft.run, node);
  if (unreachable !== undefined) return report(draft, at, unreachable, '.nodeID');
  const container = containerOf(draft, node, scopeKey, at, '.scopeKey');
  if (!container) return;
  if (token.arrived) return arrive(draft, node, container, token, at);
  if (!token.incident && !waits(node)) return place(draft, node, container, token, at);
  enterWaiting(draft, node, container, token, at);
}

/** Whether a token stays at the node until something happens outside of it. */
function waits(node: Node): boolean {
  switch (node.kind) {
    case 'userTask':
    case 'serviceTask':
    case 'receiveTask':
    case 'callActivity':
    case 'adHocSubProcess':
    case 'eventBasedGateway':
      return true;
    case 'sendTask':
    case 'businessRuleTask':
      return node.job !== undefined;
    case 'intermediateCatchEvent':
      return node.triggers.every(({ kind }) => kind !== 'link');
    default:
      return false;
  }
}

function enterWaiting(draft: Draft, node: Node, container: ElementInstance, token: ImportedToken, at: At): void {
  const { run } = draft;
  const { scopeKey, variables, listening, multiInstance } = token;
  const isActivity = behaviorOf(run, node).isActivity === true;
  if (!isActivity && multiInstance)
    report(draft, at, `${node.id} is neither multi-instance nor a loop`, '.multiInstance');
  const element = isActivity
    ? enterActivity(draft, node as ActivityNode, container, scopeKey, token, at)
    : enterNode(run, node.id, container);
  if (!element) return;
  if (!isActivity) skipStart(run, element, node);
  if (!isActivity && variables) record(run, { kind: 'VARIABLES_SET', scope: element.id, variables });
  checkListeners(draft, node, node.kind === 'adHocSubProcess' ? element : undefined, listening, at);
  draft.later.push(() => openWait(draft, element, node, token, at));
}

/** As by a modification: the node starts, and evaluates its input mappings. */
function place(draft: Draft, node: Node, container: ElementInstance, token: ImportedToken, at: At): void {
  const { run } = draft;
  const { nodeID: _nodeID, scopeKey: _scopeKey, variables, ...others } = token;
  refuseMembers(draft, others, at, `${node.id} does not wait, so it starts afresh and has no such member`);
  const problem = placeBefore(run, node.id, container.id);
  if (problem !== undefined) return report(draft, at, problem);
  if (!variables) return;
  const element = run.state.elements[run.state.lastID]!;
  setLocal(run, variableScopeOf(run, element), variables);
}

function arrive(draft: Draft, node: Node, container: ElementInstance, token: ImportedToken, at: At): void {
  const { arrived = [], nodeID: _nodeID, scopeKey: _scopeKey, ...others } = token;
  if (!JOINS.has(node.kind) || node.incoming.length < 2)
    return report(draft, at, `${node.id} is not a gateway that joins flows`, '.arrived');
  refuseMembers(draft, others, at, `tokens that wait at a join have no such member`);
  if (arrived.length === 0) report(draft, at, 'no flow is given', '.arrived');
  const { state } = draft.run;
  for (const [index, flow] of arrived.entries()) {
    const member = `.arrived[${index}]`;
    if (!node.incoming.includes(flow)) report(draft, at, `${node.id} has no incoming sequence flow ${flow}`, member);
    else if (draft.arrived.some((other) => other.flow === flow && other.scope === container.id))
      report(draft, at, `a token of sequence flow ${flow} already waits there`, member);
    else {
      draft.arrived.push({ flow, scope: container.id });
      state.elements[container.id]!.inside += 1;
    }
  }
  const here = draft.arrived.filter(({ flow, scope }) => scope === container.id && node.incoming.includes(flow));
  if (here.length === node.incoming.length)
    report(
      draft,
      at,
      `tokens of all incoming sequence flows have arrived, so ${node.id} would not wait. Place a token at the nodes after it.`,
      '.arrived',
    );
}

function refuseMembers(draft: Draft, members: { [name: string]: unknown }, at: At, message: string): void {
  for (const [name, value] of Object.entries(members)) if (value !== undefined) report(draft, at, message, `.${name}`);
}
