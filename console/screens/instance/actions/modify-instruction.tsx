/** One instruction of a modification, with the scopes that it can apply to. */
import { IconButton } from '../../../components/basics/button.js';
import { SelectField } from '../../../components/fields/field.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';
import type { Schemas } from '../../../frame/api/client.js';
import { useInstance } from '../use-instance.js';
import type { InstanceOnPage } from '../use-instance.js';
import styles from './modify.module.css';

export interface Instruction {
  /** Identifies the instruction while the list changes. */
  key: number;
  type: Schemas['ModificationInstruction']['type'];
  nodeID: string;
  /** Empty if the host can determine the scope. */
  scopeID: string;
  /** Undefined while the text is not JSON. */
  variables: Record<string, unknown> | undefined;
}

interface InstructionItemProps {
  instruction: Instruction;
  name: string;
  onChange(instruction: Instruction): void;
  onRemove(): void;
}

export function InstructionItem({ instruction, name, onChange, onRemove }: InstructionItemProps) {
  const page = useInstance();
  const scopes = scopesFor(instruction, page);
  const isStart = instruction.type === 'START_BEFORE_NODE';
  const title = `${isStart ? 'Start before' : 'Cancel a token at'} ${name}`;
  return (
    <li className={styles.instruction}>
      <div className={styles.head}>
        <strong>{title}</strong>
        <IconButton icon="close" label={`Remove: ${title}`} onClick={onRemove} />
      </div>
      {scopes.length > 1 && (
        <SelectField
          label={`Scope of ${name}`}
          hint="The node is active more than once: choose a scope."
          value={instruction.scopeID}
          onChange={({ target }) => onChange({ ...instruction, scopeID: target.value })}
        >
          <option value="">Choose</option>
          {scopes.map((scope) => (
            <option key={scope.scopeID} value={scope.scopeID}>
              {describe(scope, page)}
            </option>
          ))}
        </SelectField>
      )}
      {isStart && (
        <JsonEditor
          label={`Variables for ${name}`}
          hint="Set in the activity, or for events and gateways in the surrounding scope. Optional."
          rows={3}
          onChange={(variables) => onChange({ ...instruction, variables })}
        />
      )}
    </li>
  );
}

export function isComplete(instruction: Instruction, page: InstanceOnPage): boolean {
  const scopes = scopesFor(instruction, page);
  return (
    instruction.variables !== undefined &&
    (scopes.length < 2 || scopes.some(({ scopeID }) => scopeID === instruction.scopeID))
  );
}

export function toRequest({ type, nodeID, scopeID, variables }: Instruction): Schemas['ModificationInstruction'] {
  const within = { nodeID, ...(scopeID !== '' && { scopeID }) };
  if (type === 'CANCEL_TOKEN') return { type, ...within };
  return { type, ...within, ...(variables && Object.keys(variables).length > 0 && { variables }) };
}

/** Possible scopes: those with a token at the node, or the active ones of the nearest enclosing scope. */
function scopesFor(
  { type, nodeID }: Instruction,
  { instance: { activeScopes }, model }: InstanceOnPage,
): Schemas['ActiveScope'][] {
  if (type === 'CANCEL_TOKEN') return activeScopes.filter(({ activeNodes }) => Object.hasOwn(activeNodes, nodeID));
  for (let around = model.parents.get(nodeID); around !== undefined; around = model.parents.get(around)) {
    // A scope that contains its own node is the body of a loop, in which nothing can be started.
    const active = activeScopes.filter((scope) => scope.nodeID === around && !Object.hasOwn(scope.activeNodes, around));
    if (active.length > 0) return active;
  }
  return [];
}

function describe(
  { scopeID, nodeID, activeNodes, variables }: Schemas['ActiveScope'],
  { nameOf }: InstanceOnPage,
): string {
  const counter = variables['loopCounter'];
  const round = typeof counter === 'number' ? `, round ${counter}` : '';
  const nodes = Object.keys(activeNodes).map(nameOf).join(', ');
  return `${nameOf(nodeID)}${round} (scope ${scopeID}, at ${nodes})`;
}
