/** Replaces the duration targets of a process. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, type Schemas } from '../../../frame/api/client.js';
import { Button, IconButton } from '../../../components/basics/button.js';
import { SelectField, TextField } from '../../../components/fields/field.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { useToasts } from '../../../components/feedback/toast.js';
import { nodesOf } from '../../../features/diagram/nodes-of.js';
import { useDefinitionXml, useModel } from '../../../features/diagram/use-definition.js';
import { asWritten } from '../../../features/statistics/duration.js';
import type { Target } from '../../../features/statistics/types.js';
import { useProject } from '../../../frame/project/project.js';
import styles from './targets-dialog.module.css';

/** Maximum number of targets that the API accepts. */
const MAX_TARGETS = 100;

/** A target as the user typed it. An empty id is the whole instance. */
interface Row {
  key: number;
  nodeID: string;
  duration: string;
}

interface TargetsDialogProps {
  version: Schemas['BpmnProcessDefinition'];
  targets: readonly Target[];
  onClose(): void;
}

export function TargetsDialog({ version: { id, processID }, targets, onClose }: TargetsDialogProps) {
  const model = useModel(useDefinitionXml(id).data);
  const [rows, setRows] = useState(() => rowsOf(targets));
  const save = useSaveTargets(processID, onClose);
  // Another version may have nodes that this one does not have.
  const nodes = ['', ...new Set([...nodesOf(model, processID), ...rows.flatMap(({ nodeID }) => nodeID || [])])];
  const taken = new Set(rows.map(({ nodeID }) => nodeID));
  const free = nodes.find((nodeID) => !taken.has(nodeID));
  return (
    <FormDialog
      title={`Duration targets of ${processID}`}
      submitLabel="Save"
      isBusy={save.isPending}
      isIncomplete={rows.some(({ duration }) => duration.trim() === '')}
      error={save.error}
      onSubmit={() => save.mutate(rows.map(toTarget))}
      onClose={onClose}
    >
      <p>
        The maximum durations of instances of all versions and of their nodes. A change applies only to instances and
        activations that start after it. Pauses count as time.
      </p>
      {rows.map((row, index) => (
        <TargetFields
          key={row.key}
          number={index + 1}
          row={row}
          nodes={nodes.filter((nodeID) => nodeID === row.nodeID || !taken.has(nodeID))}
          names={model.names}
          onChange={(changed) => setRows(rows.map((one) => (one.key === row.key ? changed : one)))}
          onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      {free !== undefined && rows.length < MAX_TARGETS && (
        <div>
          <Button icon="plus" onClick={() => setRows([...rows, { key: nextKey(rows), nodeID: free, duration: '' }])}>
            Add a target
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

function useSaveTargets(processID: string, onSaved: () => void) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (targets: Target[]) =>
      unwrap(
        api.PUT('/projects/{projectID}/bpmn/processes/{processID}/targets', {
          params: { path: { projectID, processID } },
          body: { targets },
        }),
      ),
    onSuccess: () => {
      toasts.done('Targets changed.');
      onSaved();
    },
  });
}

interface TargetFieldsProps {
  number: number;
  row: Row;
  /** Those without another target; empty for the whole instance. */
  nodes: readonly string[];
  names: ReadonlyMap<string, string>;
  onChange(row: Row): void;
  onRemove(): void;
}

function TargetFields({ number, row, nodes, names, onChange, onRemove }: TargetFieldsProps) {
  return (
    <div className={styles.target} role="group" aria-label={`Target ${number}`}>
      <SelectField label="For" value={row.nodeID} onChange={({ target }) => onChange({ ...row, nodeID: target.value })}>
        {nodes.map((nodeID) => (
          <option key={nodeID} value={nodeID}>
            {nodeID === '' ? 'The whole instance' : (names.get(nodeID) ?? nodeID)}
          </option>
        ))}
      </SelectField>
      <TextField
        label="At most"
        placeholder="Such as 30m, 2h30m, 3d"
        value={row.duration}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...row, duration: target.value })}
      />
      <IconButton label={`Remove target ${number}`} icon="close" onClick={onRemove} />
    </div>
  );
}

function rowsOf(targets: readonly Target[]): Row[] {
  return targets.map(({ nodeID = '', duration }, key) => ({ key, nodeID, duration: asWritten(duration) }));
}

function nextKey(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}

function toTarget({ nodeID, duration }: Row): Target {
  return { ...(nodeID !== '' && { nodeID }), duration: duration.trim() };
}
