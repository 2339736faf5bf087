/** Maps source elements to target elements, by clicks in the diagrams or by selection in lists. */
import { useMemo, useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button, IconButton } from '../../components/basics/button.js';
import { SelectField } from '../../components/fields/field.js';
import { ErrorState } from '../../components/feedback/states.js';
import { Diagram } from '../diagram/diagram.js';
import type { Model } from '../diagram/model.js';
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
  const sources = useMemo(() => mappings.map(({ sourceElementID }) => sourceElementID), [mappings]);
  const targets = useMemo(() => mappings.map(({ targetElementID }) => targetElementID), [mappings]);
  const nameOf = (id: string) => model.names.get(id) ?? id;
  const map = (sourceElementID: string | undefined, targetElementID: string | undefined) => {
    if (sourceElementID === undefined || targetElementID === undefined) return;
    onChange([...withoutSource(mappings, sourceElementID), { sourceElementID, targetElementID }]);
    choose(undefined);
    chooseCounterpart(undefined);
  };
  return (
    <>
      <div className={styles.sides}>
        <VersionElements
          label="Current version"
          title={`Current version ${source.version}`}
          version={source}
          xml={xml}
          model={model}
          marks={marks}
          chosen={chosen}
          mapped={sources}
          onClick={choose}
          onChoose={choose}
        />
        <VersionElements
          label="Target"
          title={`Target version ${target.version}`}
          version={target}
          xml={targetXml}
          model={targetModel}
          chosen={counterpart}
          mapped={targets}
          // A click on the target completes the pair that a click on the current version has begun.
          onClick={(id) => (chosen !== undefined && id !== undefined ? map(chosen, id) : chooseCounterpart(id))}
          onChoose={chooseCounterpart}
        />
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
      {targetXml.data !== undefined && (
        <UnmappedNodes names={unmappedNodes(marks, mappings, targetModel).map(nameOf)} targetVersion={target.version} />
      )}
      <MappingList mappings={mappings} model={model} targetModel={targetModel} onChange={onChange} />
    </>
  );
}

interface VersionElementsProps {
  /** The name of the region. */
  label: string;
  title: string;
  version: Version;
  xml: UseQueryResult<string>;
  model: Model;
  marks?: ReadonlyMap<string, NodeMarks>;
  chosen: string | undefined;
  /** Elements that have a mapping. */
  mapped: readonly string[];
  /** For clicks in the diagram. */
  onClick(id: string | undefined): void;
  /** For the list. */
  onChoose(id: string | undefined): void;
}

/** The elements of one version, as a diagram and as a list. */
function VersionElements(props: VersionElementsProps) {
  const { label, title, version, xml, model, marks, chosen, mapped, onClick, onChoose } = props;
  const selected = useMemo(() => first(chosen, mapped), [chosen, mapped]);
  return (
    <section aria-label={label}>
      <h3>{title}</h3>
      {xml.data && (
        <DiagramRoom isInDialog>
          <Diagram
            xml={xml.data}
            marks={marks}
            selected={selected}
            onSelect={onClick}
            label={`Diagram of version ${version.version}`}
          />
        </DiagramRoom>
      )}
      {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
      <SelectField
        label={`Element of version ${version.version}`}
        value={chosen ?? ''}
        onChange={(event) => onChoose(event.target.value || undefined)}
      >
        <NodeOptions model={model} marks={marks} />
      </SelectField>
    </section>
  );
}

function UnmappedNodes({ names, targetVersion }: { names: readonly string[]; targetVersion: number }) {
  if (names.length === 0) return null;
  return (
    <p>
      Active, and without an element of the same id in version {targetVersion}: {names.join(', ')}.
    </p>
  );
}

interface MappingListProps {
  mappings: readonly Mapping[];
  model: Model;
  targetModel: Model;
  onChange(mappings: readonly Mapping[]): void;
}

function MappingList({ mappings, model, targetModel, onChange }: MappingListProps) {
  if (mappings.length === 0) return null;
  return (
    <ul className={styles.mappings} aria-label="Mappings">
      {mappings.map(({ sourceElementID, targetElementID }) => (
        <li key={sourceElementID}>
          <span>
            {labelOf(sourceElementID, model)} → {labelOf(targetElementID, targetModel)}
          </span>
          <IconButton
            icon="close"
            label={`Remove the mapping of ${model.names.get(sourceElementID) ?? sourceElementID}`}
            onClick={() => onChange(withoutSource(mappings, sourceElementID))}
          />
        </li>
      ))}
    </ul>
  );
}

function withoutSource(mappings: readonly Mapping[], id: string): Mapping[] {
  return mappings.filter(({ sourceElementID }) => sourceElementID !== id);
}

/** Active nodes that have no mapping, and no element of the same id in the target version. */
function unmappedNodes(
  marks: ReadonlyMap<string, NodeMarks>,
  mappings: readonly Mapping[],
  targetModel: Model,
): string[] {
  const mapped = new Set(mappings.map(({ sourceElementID }) => sourceElementID));
  return [...marks.keys()].filter((id) => !mapped.has(id) && !targetModel.parents.has(id));
}

function first(id: string | undefined, others: readonly string[]): string[] {
  return [...new Set(id === undefined ? others : [id, ...others])];
}
