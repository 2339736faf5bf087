import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import type { Host } from '../../host.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { show } from '../../terminal.js';
import { readObjectFile } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';
import { describeIssues } from './issues.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

type Plan = Schemas['ModifyBpmnInstanceRequest'];

export const modify: Command = {
  name: 'modify',
  role: 'admin',
  operands: 'WORKFLOW_ID FILE',
  summary: 'Move the tokens of an instance, by a JSON file',
  details:
    'The file has the body of ModifyBpmnInstance: {"instructions": [{"type": "CANCEL_TOKEN", "nodeID": ' +
    '"work"}, ...]}. The nodes are checked first.',
  examples: [
    `perdure modify ${exampleInstance} plan.json --dry-run`,
    `perdure modify ${exampleInstance} plan.json --reason 'notified by phone'`,
  ],
  minOperands: 2,
  maxOperands: 2,
  options: {
    'dry-run': {
      type: 'boolean',
      help: 'check that the nodes exist and that tokens to cancel are there; change nothing',
    },
    ...reasonOption,
  },
  async run(invocation) {
    const { operands, terminal } = invocation;
    const plan = await readPlan(operands[1]!);
    const host = await invocation.host();
    const path = instanceOf(host, invocation);
    const issues = await issuesOf(host, path, plan);
    if (invocation.flag('dry-run') || issues.length > 0) {
      show(terminal, { valid: issues.length === 0, issues }, () => describeIssues(issues, operands[1]!));
      return issues.length === 0 ? exitCodes.done : exitCodes.refused;
    }
    const modified = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/modify', {
        params: { path, header: untilApplied },
        body: { ...plan, ...reasonOf(invocation) },
      }),
    );
    return showOutcome(terminal, modified, `Instance ${path.workflowID} modified`);
  },
};

async function readPlan(file: string): Promise<Plan> {
  const plan = await readObjectFile(file);
  if (Array.isArray(plan['instructions'])) return plan as Plan;
  throw new WrongUse(
    `${file} must have "instructions", such as {"instructions": [{"type": "START_BEFORE_NODE", "nodeID": "ship"}]}`,
  );
}

/** Issues that are visible from outside: the host has no validation of modifications. */
async function issuesOf(
  { client }: Host,
  path: { projectID: string; workflowID: string },
  { instructions }: Plan,
): Promise<string[]> {
  const { definitionID, processId, activeScopes } = await unwrap<Schemas['BpmnInstanceState']>(
    client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path } }),
  );
  const xml = await unwrap(
    client.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/xml', {
      params: { path: { projectID: path.projectID, definitionID } },
      parseAs: 'text',
    }),
  );
  const nodes = await nodesOf(xml, processId);
  const active = new Set(activeScopes.flatMap(({ activeNodes }) => Object.keys(activeNodes)));
  return instructions.flatMap(({ type, nodeID }, index) => {
    const where = `Instruction ${index + 1} (${type} ${nodeID})`;
    if (!nodes.has(nodeID)) return [`${where}: the definition has no node ${JSON.stringify(nodeID)}`];
    return type === 'CANCEL_TOKEN' && !active.has(nodeID) ? [`${where}: the node has no token`] : [];
  });
}

async function nodesOf(xml: string, processID: string): Promise<Set<string>> {
  const { compile } = await import('@perdure/bpmn/compile/compile.js');
  const { processes } = await compile(xml);
  const nodes = processes.find((process) => process.processID === processID)?.graph.nodes ?? [];
  return new Set(nodes.map(({ id }) => id));
}
