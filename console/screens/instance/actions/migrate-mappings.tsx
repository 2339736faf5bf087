/** Which element of the target version stands for which of the instance's: by clicks on both diagrams, or by lists. */
import { useMemo, useState } from 'react';
import { Button, IconButton } from '../../../components/button.js';
import { SelectField } from '../../../components/field.js';
import { ErrorState } from '../../../components/states.js';
import { Diagram } from '../../../diagram/diagram.js';
import type { Schemas } from '../../../api/client.js';
import { marksOf } from '../marks.js';
import { useDefinitionXml, useInstance, useModel } from '../use-instance.js';
import styles from './migrate.module.css';
import { labelOf, NodeOptions } from './node-options.js';

export type Mapping = Schemas['ElementMapping'];

interface ElementMappingsProps {
  target: Schemas['BpmnProcessVersion'];
  mappings: readonly Mapping[];
  onChange(mappings: readonly Mapping[]): void;
}

export function ElementMappings({ target, mappings, onChange }: ElementMappingsProps) {
  const { instance, model, nameOf } = useInstance();
  const xml = useDefinitionXml(instance.definitionID);
  const targetXml = useDefinitionXml(target.id);
  const targetModel = useModel(targetXml.data);
  const [source, chooseSource] = useState<string>();
  const [counterpart, chooseCounterpart] = useState<string>();
  const marks = useMemo(() => marksOf(instance, false), [instance]);
  const selected = useMemo(() => chosen(source, mappings.map(({ sourceElementID }) => sourceElementID)), [source, mappings]);
  const targetSelected = useMemo(() => chosen(counterpart, mappings.map(({ targetElementID }) => targetElementID)), [counterpart, mappings]);
  const mapped = new Set(mappings.map(({ sourceElementID }) => sourceElementID));
  const missing = targetXml.data === undefined ? [] : [...marks.keys()].filter((id) => !mapped.has(id) && !targetModel.parents.has(id));
  const map = (sourceElementID: string | undefined, targetElementID: string | undefined) => {
    if (sourceElementID === undefined || targetElementID === undefined) return;
    onChange([...mappings.filter((mapping) => mapping.sourceElementID !== sourceElementID), { sourceElementID, targetElementID }]);
    chooseSource(undefined);
    chooseCounterpart(undefined);
  };
  /** A click on the target completes the pair that one on the present version has begun. */
  const clickTarget = (id: string | undefined) => (source !== undefined && id !== undefined ? map(source, id) : chooseCounterpart(id));
  return (
    <>
      <div className={styles.sides}>
        <section aria-label="Version now">
          <h3>Version {instance.processVersion}, now</h3>
          {xml.data && <div className={styles.diagram}><Diagram xml={xml.data} marks={marks} selected={selected} onSelect={chooseSource} label={`Diagram of version ${instance.processVersion}`} /></div>}
          <SelectField label={`Element of version ${instance.processVersion}`} value={source ?? ''} onChange={(event) => chooseSource(event.target.value || undefined)}><NodeOptions model={model} marks={marks} /></SelectField>
        </section>
        <section aria-label="Target">
          <h3>Version {target.version}, afterwards</h3>
          {targetXml.data && <div className={styles.diagram}><Diagram xml={targetXml.data} selected={targetSelected} onSelect={clickTarget} label={`Diagram of version ${target.version}`} /></div>}
          {targetXml.isError && <ErrorState error={targetXml.error} retry={() => void targetXml.refetch()} />}
          <SelectField label={`Element of version ${target.version}`} value={counterpart ?? ''} onChange={(event) => chooseCounterpart(event.target.value || undefined)}><NodeOptions model={targetModel} /></SelectField>
        </section>
      </div>
      <div className={styles.map}>
        <Button icon="plus" disabled={source === undefined || counterpart === undefined} onClick={() => map(source, counterpart)}>Map</Button>
        <span>{source === undefined ? `Click a node of version ${instance.processVersion}, then the one of version ${target.version} that stands for it.` : `Now click what stands for ${nameOf(source)} in version ${target.version}.`}</span>
      </div>
      {missing.length > 0 && <p>Active, and without an element of the same id in version {target.version}: {missing.map(nameOf).join(', ')}.</p>}
      {mappings.length > 0 && (
        <ul className={styles.mappings} aria-label="Mappings">
          {mappings.map(({ sourceElementID, targetElementID }) => (
            <li key={sourceElementID}>
              <span>{labelOf(sourceElementID, model)} → {labelOf(targetElementID, targetModel)}</span>
              <IconButton icon="close" label={`Remove the mapping of ${nameOf(sourceElementID)}`} onClick={() => onChange(mappings.filter((mapping) => mapping.sourceElementID !== sourceElementID))} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function chosen(id: string | undefined, others: readonly string[]): string[] {
  return [...new Set(id === undefined ? others : [id, ...others])];
}
