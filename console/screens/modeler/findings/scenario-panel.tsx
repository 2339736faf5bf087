/** The scenarios of the edited file: files to choose or drop, results of the last run, and coverage. */
import { useState } from 'react';
import { Button, IconButton } from '../../../components/basics/button.js';
import { Refusal } from '../../../components/dialogs/form-dialog.js';
import { Banner } from '../../../components/feedback/banner.js';
import { sentenceOf } from '../../../components/feedback/states.js';
import { DropArea } from '../../../components/fields/drop-area.js';
import { TextField } from '../../../components/fields/field.js';
import { Table, type Column } from '../../../components/tables/table.js';
import { Badge } from '../../../components/values/badge.js';
import { MAX_SCENARIOS } from '../../../features/modeler/copies/scenario-limits.js';
import type { RunResult, RunState } from '../../../features/modeler/scenarios/runner.js';
import { readFile } from '../../deploy/read-file.js';
import styles from '../modeler.module.css';
import type { Scenarios } from './use-scenarios.js';

interface ScenarioPanelProps {
  scenarios: Scenarios;
  /** The name of an element, or its id. */
  nameOf(elementID: string): string;
  /** Brings an element of the diagram into view. */
  onShow(elementID: string): void;
}

export function ScenarioPanel({ scenarios, nameOf, onShow }: ScenarioPanelProps) {
  const { state, kept, remove, run, stop } = scenarios;
  return (
    <section className={styles.scenarios} aria-label="Scenarios">
      <div className={styles.summary}>
        <h2>Scenarios</h2>
        <p aria-live="polite">{summaryOf(state, kept.length)}</p>
        {state.isRunning ? (
          <Button kind="quiet" icon="ban" onClick={stop}>
            Stop
          </Button>
        ) : (
          kept.length > 0 && (
            <Button kind="quiet" icon="play" onClick={run}>
              Run again
            </Button>
          )
        )}
      </div>
      {state.error !== undefined && (
        <Banner tone="amber" icon="alert" title="The scenarios did not run.">
          {sentenceOf(state.error)}
        </Banner>
      )}
      {state.results.length > 0 && (
        <Results results={state.results} nameOf={nameOf} onShow={onShow} onRemove={(file) => void remove(file)} />
      )}
      <Adding scenarios={scenarios} />
    </section>
  );
}

function summaryOf({ results, isRunning, elements, reached }: RunState, kept: number): string {
  if (kept === 0) return 'None in this browser. Play the process and save what you did, or add the files of scenarios.';
  const count = (outcome: RunResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const failed = count('failed');
  const skipped = count('notRun');
  const parts = [
    ...(isRunning ? ['Running…'] : []),
    ...(results.length > 0 ? [`${count('passed')} passed`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} not run, because the others took too long`] : []),
    ...(elements.length > 0 ? [`${reached.size} of ${elements.length} nodes and flows covered`] : []),
  ];
  return parts.join(' · ');
}

interface ResultsProps {
  results: readonly RunResult[];
  nameOf(elementID: string): string;
  onShow(elementID: string): void;
  onRemove(file: string): void;
}

function Results({ results, nameOf, onShow, onRemove }: ResultsProps) {
  const columns: readonly Column<RunResult>[] = [
    { title: 'Result', width: '7rem', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
    { title: 'Scenario', width: '18rem', cell: ({ name, file }) => <span title={file}>{name}</span> },
    { title: 'Failure', cell: ({ failure }) => failure && <FailureText failure={failure} /> },
    {
      title: 'Element',
      width: '14rem',
      cell: ({ failure: { nodes = [] } = {} }) =>
        nodes.slice(0, 3).map((id) => (
          <Button key={id} kind="quiet" title={id} onClick={() => onShow(id)}>
            {nameOf(id)}
          </Button>
        )),
    },
    {
      title: 'Actions',
      width: '5rem',
      cell: ({ file, name }) => <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(file)} />,
    },
  ];
  return <Table label="Scenarios" columns={columns} rows={results} rowKey={({ file }) => file} />;
}

function OutcomeMark({ outcome }: Pick<RunResult, 'outcome'>) {
  if (outcome === 'notRun') return <Badge tone="grey">Not run</Badge>;
  return outcome === 'passed' ? (
    <Badge tone="green" icon="check">
      Passed
    </Badge>
  ) : (
    <Badge tone="red" icon="cross">
      Failed
    </Badge>
  );
}

function FailureText({ failure: { at, message, differences } }: { failure: NonNullable<RunResult['failure']> }) {
  return (
    <div className={styles.failure}>
      {at !== undefined && <code>{at}</code>} {message}
      {differences.length > 0 && (
        <ul>
          {differences.map(({ what, expected, found }, index) => (
            <li key={index}>
              {what}: expected <code>{expected}</code>, found <code>{found}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Adding({ scenarios: { add } }: Pick<ScenarioPanelProps, 'scenarios'>) {
  const [error, setError] = useState<unknown>();
  const take = (files: readonly File[]) => {
    setError(undefined);
    read(files).then(add).catch(setError);
  };
  return (
    <DropArea className={styles.drop} overClassName={styles.over} onFiles={({ files }) => take([...files])}>
      <TextField
        label="Add scenarios"
        hint="Files NAME.scenario.json. Choose or drop them. They stay in this browser, and run after each edit."
        type="file"
        multiple
        accept=".json"
        onChange={({ target }) => {
          take([...(target.files ?? [])]);
          // The same files can be chosen again after a change.
          target.value = '';
        }}
      />
      <Refusal error={error} />
    </DropArea>
  );
}

async function read(files: readonly File[]) {
  if (files.length > MAX_SCENARIOS)
    throw new Error(`Choose at most ${MAX_SCENARIOS} files at a time, not ${files.length}.`);
  return Promise.all(
    files.map(async (file) => {
      const { name, xml: text } = await readFile(file);
      return { file: name, text };
    }),
  );
}
