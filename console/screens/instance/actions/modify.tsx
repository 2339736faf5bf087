/** Moves tokens: instructions are collected on the diagram and applied together. */
import { useMemo, useState, type Dispatch, type SetStateAction } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { Button } from '../../../components/basics/button.js';
import { SelectField } from '../../../components/fields/field.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { Diagram } from '../../../features/diagram/diagram.js';
import { DiagramRoom } from '../../../features/diagram/diagram-room.js';
import { NodeOptions } from '../../../features/diagram/node-options.js';
import { marksOf } from '../../../features/diagram/active-nodes.js';
import { useDefinitionXml } from '../../../features/diagram/use-definition.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import { InstructionItem, isComplete, toRequest } from './modify-instruction.js';
import type { Instruction } from './modify-instruction.js';
import styles from './modify.module.css';
import { asked, Reason } from '../../../components/fields/reason.js';

export const modify: Action = {
  label: 'Modify',
  icon: 'edit',
  role: 'admin',
  isOffered: ({ status }) => status === 'RUNNING',
  Dialog: ModifyDialog,
};

function ModifyDialog({ onClose }: { onClose(): void }) {
  const page = useInstance();
  const { projectID, instance } = page;
  const [nodeID, choose] = useState(page.nodeID);
  const [instructions, setInstructions] = useState<readonly Instruction[]>([]);
  const [reason, setReason] = useState('');
  const command = useCommand(
    'Instance modified.',
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/modify', {
          params: { path: { projectID, workflowID: instance.workflowID } },
          body: { instructions: instructions.map(toRequest), ...asked(reason) },
        }),
      ),
    onClose,
  );
  const add = (type: Instruction['type']) => {
    const key = Math.max(0, ...instructions.map((instruction) => instruction.key)) + 1;
    setInstructions([...instructions, { key, type, nodeID: nodeID!, scopeID: '', variables: {} }]);
  };
  const isIncomplete = instructions.length === 0 || !instructions.every((instruction) => isComplete(instruction, page));
  return (
    <FormDialog
      title="Modify this instance"
      submitLabel="Apply"
      isWide
      isBusy={command.isPending}
      isIncomplete={isIncomplete}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Choose a node, on the diagram or in the list, and an instruction for it. All instructions are applied in order,
        or none. A scope left without a token is canceled, and so is the instance.
      </p>
      <NodeChoice nodeID={nodeID} instructions={instructions} onChoose={choose} onAdd={add} />
      <Instructions instructions={instructions} onChange={setInstructions} />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

interface NodeChoiceProps {
  nodeID: string | undefined;
  instructions: readonly Instruction[];
  onChoose(nodeID: string | undefined): void;
  /** Adds an instruction for the chosen node. */
  onAdd(type: Instruction['type']): void;
}

/** A node of the process, chosen in the diagram or from a list, and the instructions that it can get. */
function NodeChoice({ nodeID, instructions, onChoose, onAdd }: NodeChoiceProps) {
  const { instance, model } = useInstance();
  const xml = useDefinitionXml(instance.definitionID);
  const marks = useMemo(() => marksOf(instance, false), [instance]);
  const selected = useMemo(
    () => [
      ...new Set([...(nodeID === undefined ? [] : [nodeID]), ...instructions.map((instruction) => instruction.nodeID)]),
    ],
    [nodeID, instructions],
  );
  return (
    <>
      {xml.data && (
        <DiagramRoom isInDialog>
          <Diagram
            xml={xml.data}
            marks={marks}
            selected={selected}
            onSelect={onChoose}
            label="Diagram to choose nodes from"
          />
        </DiagramRoom>
      )}
      <div className={styles.choice}>
        <SelectField label="Node" value={nodeID ?? ''} onChange={({ target }) => onChoose(target.value || undefined)}>
          <NodeOptions model={model} marks={marks} />
        </SelectField>
        <Button icon="plus" disabled={nodeID === undefined} onClick={() => onAdd('START_BEFORE_NODE')}>
          Start before node
        </Button>
        <Button
          icon="minus"
          disabled={nodeID === undefined || !marks.get(nodeID)?.tokens}
          onClick={() => onAdd('CANCEL_TOKEN')}
        >
          Cancel a token at node
        </Button>
      </div>
    </>
  );
}

interface InstructionsProps {
  instructions: readonly Instruction[];
  onChange: Dispatch<SetStateAction<readonly Instruction[]>>;
}

function Instructions({ instructions, onChange }: InstructionsProps) {
  const { nameOf } = useInstance();
  if (instructions.length === 0) return null;
  return (
    <ol className={styles.instructions} aria-label="Instructions">
      {instructions.map((instruction) => (
        <InstructionItem
          key={instruction.key}
          instruction={instruction}
          name={nameOf(instruction.nodeID)}
          onChange={(changed) => onChange((all) => all.map((one) => (one.key === changed.key ? changed : one)))}
          onRemove={() => onChange((all) => all.filter(({ key }) => key !== instruction.key))}
        />
      ))}
    </ol>
  );
}
