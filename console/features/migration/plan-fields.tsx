/** The fields of a migration plan, for one instance or many. */
import type { ReactNode } from 'react';
import { SelectField } from '../../components/fields/field.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import type { NodeMarks } from '../diagram/node-marks.js';
import { ElementMappings } from './mappings.js';
import type { usePlan, Version } from './plan.js';

interface PlanFieldsProps {
  draft: ReturnType<typeof usePlan>;
  source: Version;
  /** Marks at the nodes of the source. */
  marks: ReadonlyMap<string, NodeMarks>;
  /** Content after these fields, shown once a target version exists. */
  children: ReactNode;
}

export function PlanFields({
  draft: { versions, targets, target, chooseTarget, mappings, setMappings, setVariables },
  source,
  marks,
  children,
}: PlanFieldsProps) {
  if (versions.data === undefined)
    return versions.isError ? (
      <ErrorState error={versions.error} retry={() => void versions.refetch()} />
    ) : (
      <Loading lines={2} label="Loading the versions" />
    );
  return (
    <>
      <SelectField
        label="Target version"
        hint={targets.length === 0 ? 'This process has no other version. Deploy one first.' : undefined}
        value={target?.id ?? ''}
        onChange={(event) => chooseTarget(event.target.value)}
      >
        <option value="">Choose</option>
        {targets.map(({ id, version, resourceName }) => (
          <option key={id} value={id}>
            Version {version} ({resourceName})
          </option>
        ))}
      </SelectField>
      {target && (
        <>
          <ElementMappings
            key={target.id}
            source={source}
            target={target}
            marks={marks}
            mappings={mappings}
            onChange={setMappings}
          />
          <JsonEditor
            label="Variables to set"
            hint="Variables that the target version needs in addition. Optional."
            rows={3}
            onChange={setVariables}
          />
          {children}
        </>
      )}
    </>
  );
}
