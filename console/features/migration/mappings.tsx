/** Which element of the target version stands for which of the present one: by clicks on both diagrams, or by lists. */
import { useMemo, useState } from 'react';
import { Button, IconButton } from '../../components/basics/button.js';
import { SelectField } from '../../components/fields/field.js';
import { ErrorState } from '../../components/feedback/states.js';
import { Diagram } from '../diagram/diagram.js';
import type { NodeMarks } from '../diagram/node-marks.js';
import { DiagramRoom } from '../diagram/diagram-room.js';
import { labelOf, NodeOptions } from '../diagram/node-options.js';
import { useDefinitionXml, useModel } from '../diagram/use-definition.js';
import styles from './migration.module.css';
import type { Mapping, Version } from './plan.js';

interface ElementMappingsProps {
  source: Version;
  target: Version;
  /** Marks at the nodes of the source. */
  marks: ReadonlyMap<string, NodeMarks>;
  mappings: readonly Mapping[];
  onChange(mappings: readonly Mapping[]): void;
}

export function ElementMappings({ source, target, marks, mappings, onChange }: ElementMappingsProps) {
  const xml = useDefinitionXml(source.id);
  const targetXml = useDefinitionXml(target.id);
  const model = useModel(xml.data);
  const targetModel = useModel(targetXml.data);
  const [chosen, choose] = useState<string>();
  const [counterpart, chooseCounterpart] = useState<string>();
  const selected = useMemo(
    () =>
      first(
        chosen,
        mappings.map(({ sourceElementID }) => sourceElementID),
      ),
    [chosen, mappings],
  );
  const targetSelected = useMemo(
    () =>
      first(
        counterpart,
        mappings.map(({ targetElementID }) => targetElementID),
      ),
    [counterpart, mappings],
  );
  const mapped = new Set(mappings.map(({ sourceElementID }) => sourceElementID));
  const missing =
    targetXml.data === undefined
      ? []
      : [...marks.keys()].filter((id) => !mapped.has(id) && !targetModel.parents.has(id));
  const nameOf = (id: string) => model.names.get(id) ?? id;
  const map = (sourceElementID: string | undefined, targetElementID: string | undefined) => {
    if (sourceElementID === undefined || targetElementID === undefined) return;
    onChange([
      ...mappings.filter((mapping) => mapping.sourceElementID !== sourceElementID),
      { sourceElementID, targetElementID },
    ]);
    choose(undefined);
    chooseCounterpart(undefined);
  };
  /** A click on the target completes the pair that one on the present version has begun. */
  const clickTarget = (id: string | undefined) =>
    chosen !== undefined && id !== undefined ? map(chosen, id) : chooseCounterpart(id);
  return (
    <>
      <div className={styles.sides}>
        <section aria-label="Current version">
          <h3>Version {source.version}, now</h3>
          {xml.data && (
            <DiagramRoom isInDialog>
              <Diagram
                xml={xml.data}
                marks={marks}
                selected={selected}
                onSelect={choose}
                label={`Diagram of version ${source.version}`}
              />
            </DiagramRoom>
          )}
          <SelectField
            label={`Element of version ${source.version}`}
            value={chosen ?? ''}
            onChange={(event) => choose(event.target.value || undefined)}
          >
            <NodeOptions model={model} marks={marks} />
          </SelectField>
        </section>
        <section aria-label="Target">
          <h3>Version {target.version}, afterwards</h3>
          {targetXml.data && (
            <DiagramRoom isInDialog>
              <Diagram
                xml={targetXml.data}
                selected={targetSelected}
                onSelect={clickTarget}
                label={`Diagram of version ${target.version}`}
              />
            </DiagramRoom>
          )}
          {targetXml.isError && <ErrorState error={targetXml.error} retry={() => void targetXml.refetch()} />}
          <SelectField
            label={`Element of version ${target.version}`}
            value={counterpart ?? ''}
            onChange={(event) => chooseCounterpart(event.target.value || undefined)}
          >
            <NodeOptions model={targetModel} />
          </SelectField>
        </section>
      </div>
      <div className={styles.map}>
        <Button
          icon="plus"
          disabled={chosen === undefined || counterpart === undefined}
          onClick={() => map(chosen, counterpart)}
        >
          Map
        </Button>
        <span>
          {chosen === undefined
            ? `Click a node of version ${source.version}, then its counterpart in version ${target.version}.`
            : `Now click the counterpart of ${nameOf(chosen)} in version ${target.version}.`}
        </span>
      </div>
      {missing.length > 0 && (
        <p>
          Active, and without an element of the same id in version {target.version}: {missing.map(nameOf).join(', ')}.
        </p>
      )}
      {mappings.length > 0 && (
        <ul className={styles.mappings} aria-label="Mappings">
          {mappings.map(({ sourceElementID, targetElementID }) => (
            <li key={sourceElementID}>
              <span>
                {labelOf(sourceElementID, model)} → {labelOf(targetElementID, targetModel)}
              </span>
              <IconButton
                icon="close"
                label={`Remove the mapping of ${nameOf(sourceElementID)}`}
                onClick={() => onChange(mappings.filter((mapping) => mapping.sourceElementID !== sourceElementID))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function first(id: string | undefined, others: readonly string[]): string[] {
  return [...new Set(id === undefined ? others : [id, ...others])];
}
