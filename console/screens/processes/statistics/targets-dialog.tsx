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

/** The API accepts no more. */
const MAX_TARGETS = 100;

/** A target as it is typed. An empty id stands for the instance as a whole. */
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
  const { id: projectID } = useProject();
  const model = useModel(useDefinitionXml(id).data);
  const [rows, setRows] = useState(() => rowsOf(targets));
  const toasts = useToasts();
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/projects/{projectID}/bpmn/processes/{processID}/targets', {
          params: { path: { projectID, processID } },
          body: { targets: rows.map(toTarget) },
        }),
      ),
    onSuccess: () => {
      toasts.done('Targets changed.');
      onClose();
    },
  });
  // Another version may have nodes that this one does not have.
  const nodes = ['', ...new Set([...nodesOf(model, processID), ...rows.flatMap(({ nodeID }) => nodeID || [])])];
  const taken = new Set(rows.map(({ nodeID }) => nodeID));
  const free = nodes.find((nodeID) => !taken.has(nodeID));
  const change = (key: number, changes: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  return (
    <FormDialog
      title={`Duration targets of ${processID}`}
      submitLabel="Save"
      isBusy={save.isPending}
      isIncomplete={rows.some(({ duration }) => duration.trim() === '')}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <p>
        How long instances of all versions, and activations of their nodes, should take at most. A change applies to
        what begins after it. Pauses count as time.
      </p>
      {rows.map((row, index) => (
        <div key={row.key} className={styles.target} role="group" aria-label={`Target ${index + 1}`}>
          <SelectField
            label="For"
            value={row.nodeID}
            onChange={({ target }) => change(row.key, { nodeID: target.value })}
          >
            {nodes
              .filter((nodeID) => nodeID === row.nodeID || !taken.has(nodeID))
              .map((nodeID) => (
                <option key={nodeID} value={nodeID}>
                  {nodeID === '' ? 'The whole instance' : (model.names.get(nodeID) ?? nodeID)}
                </option>
              ))}
          </SelectField>
          <TextField
            label="At most"
            placeholder="Such as 30m, 2h30m, 3d"
            value={row.duration}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => change(row.key, { duration: target.value })}
          />
          <IconButton
            label={`Remove target ${index + 1}`}
            icon="close"
            onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        </div>
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

function rowsOf(targets: readonly Target[]): Row[] {
  return targets.map(({ nodeID = '', duration }, key) => ({ key, nodeID, duration: asWritten(duration) }));
}

function nextKey(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}

function toTarget({ nodeID, duration }: Row): Target {
  return { ...(nodeID !== '' && { nodeID }), duration: duration.trim() };
}
