/**
 * The user tasks that approve calls of an agent's tools: one for each tool if the agent has the input `approve`. They are in
 * no drawing. Everything that works with user tasks works with them.
 */
import type { ListedElement } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import type { UserTaskNode } from '@perdure/engine/elements/user-task.js';
import type { Mapping, Node, NodeOf } from '@perdure/engine/model/graph.js';
import { APPROVAL_SUFFIX } from '@perdure/lib/model-files/agents.js';
import type { BpmnElement } from '../../read/document.js';
import type { ModelCompiler } from '../compiler.js';

/** Embedded forms of authors have ids without this sign. */
const FORM_ID = 'agent#approval';

/** Without what the connector adds to them. */
const ARGUMENTS =
  'context merge(for entry in get entries(get or else(toolCall, {}))[item.key != "_meta"] return context put({}, entry.key, entry.value))';

/** @param agent an ad-hoc sub-process that is driven, with the elements that its worker can activate */
export function approvalsOf(
  { agent, inputs = [], innerInstance, elements = [] }: NodeOf<'adHocSubProcess'>,
  element: BpmnElement,
  compiler: ModelCompiler,
): UserTaskNode[] {
  const has = (name: string) => inputs.some(({ target }) => target[0] === name);
  if (!agent || innerInstance === undefined || !has('approve')) return [];
  const shown = shownValues(element, compiler);
  const groups = has('approvers') && compiler.feel(element, '=approvers', 'candidate groups');
  return elements.map(({ elementId, elementName = elementId }: ListedElement) => ({
    kind: 'userTask',
    id: elementId + APPROVAL_SUFFIX,
    name: `Approve: ${elementName}`,
    parent: innerInstance,
    incoming: [],
    outgoing: [],
    approves: elementId,
    inputs: [mapping('tool', { literal: elementName }), ...shown],
    formKey: { literal: `camunda-forms:bpmn:${FORM_ID}` },
    ...(groups && { candidateGroups: groups }),
  }));
}

/** Variables of the task. The decision has values from the start, so that no outer variable of its name answers for the person. */
function shownValues(element: BpmnElement, compiler: ModelCompiler): Mapping[] {
  const feel = (text: string) => compiler.feel(element, text, 'approval of a call');
  return [
    mapping('arguments', feel(ARGUMENTS)),
    mapping('why', feel('get or else(toolCall._meta.text, null)')),
    mapping('approved', { literal: false }),
    mapping('reason', { literal: null }),
  ];
}

function mapping(target: string, source: Mapping['source']): Mapping {
  return { target: [target], source };
}

/** The form of all approvals, by its id; none without any. */
export function approvalForm(nodes: readonly Node[]): { [id: string]: string } {
  const isNeeded = nodes.some((node) => node.kind === 'userTask' && node.approves !== undefined);
  return isNeeded ? { [FORM_ID]: JSON.stringify(form) } : {};
}

const form = {
  type: 'default',
  components: [
    { id: 'Field_call', type: 'text', text: 'The model wants to call **{{tool}}**.' },
    { id: 'Field_arguments', type: 'text', text: 'Arguments: {{string(arguments)}}' },
    {
      id: 'Field_why',
      type: 'text',
      text: 'It says: {{why}}',
      conditional: { hide: '=why = null or why = ""' },
    },
    { id: 'Field_approved', type: 'checkbox', key: 'approved', label: 'Approve the call' },
    {
      id: 'Field_reason',
      type: 'textfield',
      key: 'reason',
      label: 'Reason',
      description: 'The model gets it if you do not approve.',
      conditional: { hide: '=approved = true' },
    },
  ],
};
