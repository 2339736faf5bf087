/** Fields for the inputs of a batch operation. */
import { useState } from 'react';
import { TextField } from '../../components/fields/field.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import type { BatchRequest } from './batch-query.js';

export type Choice =
  'CANCEL' | 'SET_VARIABLES' | 'MIGRATE' | 'SUSPEND' | 'RESUME' | 'MODIFY' | 'DELETE' | 'FIRE_TIMERS';
/** Undefined while required input is missing. */
export type Inputs = Pick<BatchRequest, 'variables' | 'migration' | 'instructions' | 'nodeID'> | undefined;

interface InputsProps {
  onChange(inputs: Inputs): void;
}

const needInput: ReadonlySet<Choice> = new Set(['MIGRATE', 'MODIFY', 'FIRE_TIMERS']);

/** The inputs of an operation before the user enters any. */
export function emptyInputs(operation: Choice): Inputs {
  if (operation === 'SET_VARIABLES') return { variables: {} };
  return needInput.has(operation) ? undefined : {};
}

/** Needs the operation as its key, so that another operation starts with empty inputs. */
export function OperationInputs({ operation, onChange }: InputsProps & { operation: Choice }) {
  switch (operation) {
    case 'SET_VARIABLES':
      return (
        <JsonEditor
          label="Variables"
          hint="Null removes a variable."
          onChange={(variables) => onChange(variables && { variables })}
        />
      );
    case 'MIGRATE':
      return <MigrationInput onChange={onChange} />;
    case 'MODIFY':
      return <ModificationInput onChange={onChange} />;
    case 'FIRE_TIMERS':
      return (
        <TextField
          label="Timers of node"
          hint="The id of the node. Instances that have no open timer there are skipped."
          spellCheck={false}
          onChange={({ target }) => onChange(target.value.trim() === '' ? undefined : { nodeID: target.value.trim() })}
        />
      );
    case 'DELETE':
      return (
        <p>
          Ended instances are erased with everything they called and cannot be restored. Running ones are refused, and
          called ones are erased with their root.
        </p>
      );
    default:
      return null;
  }
}

function MigrationInput({ onChange }: InputsProps) {
  const change = (version: number) =>
    onChange(Number.isInteger(version) && version >= 1 ? { migration: { targetVersion: version } } : undefined);
  return (
    <TextField
      label="Target version"
      hint="Of the process of each instance. Elements keep their ids; to map them, migrate on the page of a version."
      type="number"
      min={1}
      onChange={({ target }) => change(target.valueAsNumber)}
    />
  );
}

/** Canceling at one node and starting at another moves tokens. */
function ModificationInput({ onChange }: InputsProps) {
  const [left, setLeft] = useState('');
  const [entered, setEntered] = useState('');
  const change = (cancelAt: string, startBefore: string) => {
    const instructions = [
      ...(startBefore === '' ? [] : [{ type: 'START_BEFORE_NODE' as const, nodeID: startBefore }]),
      ...(cancelAt === '' ? [] : [{ type: 'CANCEL_TOKEN' as const, nodeID: cancelAt }]),
    ];
    onChange(instructions.length === 0 ? undefined : { instructions });
  };
  return (
    <>
      <TextField
        label="Cancel the token at node"
        hint="The id of the node. With the other field, the token moves there."
        spellCheck={false}
        value={left}
        onChange={({ target }) => {
          setLeft(target.value);
          change(target.value.trim(), entered.trim());
        }}
      />
      <TextField
        label="Start before node"
        spellCheck={false}
        value={entered}
        onChange={({ target }) => {
          setEntered(target.value);
          change(left.trim(), target.value.trim());
        }}
      />
    </>
  );
}
