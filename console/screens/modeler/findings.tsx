/** Findings of the compiler and the scenarios in the edited file: lists, and marks on its diagram. */
import { useDeferredValue, useEffect, useMemo } from 'react';
import { Banner } from '../../components/feedback/banner.js';
import { Loading } from '../../components/feedback/states.js';
import type { NodeMarks } from '../../features/diagram/node-marks.js';
import { useModel } from '../../features/diagram/use-definition.js';
import type { Editing, EditingState } from '../../features/modeler/editing.js';
import { failuresByNode, type RunResult } from '../../features/modeler/scenarios/runner.js';
import { marksOf, Problems } from '../deploy/problems.js';
import { ScenarioPanel } from './scenario-panel.js';
import { useProblems } from './use-problems.js';
import { useScenarios } from './use-scenarios.js';

interface FindingsProps {
  editing: Editing;
  state: EditingState;
  /** Of the file. */
  name: string;
}

export function Findings({ editing, state: { text, isDrawn }, name }: FindingsProps) {
  const result = useProblems(text);
  const { names, executable } = useModel(useDeferredValue(text));
  const scenarios = useScenarios({ text, name, processIDs: executable });
  const { results, reached } = scenarios.state;
  const issues = useMemo(
    () =>
      result && 'problems' in result
        ? result.problems.toSorted((one, other) => one.severity.localeCompare(other.severity))
        : undefined,
    [result],
  );
  useEffect(() => {
    if (isDrawn) editing.mark(withFailures(marksOf(issues ?? []), results), reached);
  }, [editing, isDrawn, issues, results, reached]);
  const nameOf = (id: string) => names.get(id) ?? id;
  const show = (id: string) => editing.show(id);
  return (
    <>
      {result && 'failed' in result ? (
        <Banner tone="amber" icon="alert" title="The file was not checked.">
          {result.failed} The host checks it when it is deployed.
        </Banner>
      ) : issues ? (
        <Problems issues={issues} nameOf={nameOf} onSelect={show} />
      ) : (
        <Loading lines={2} label="Checking the file" />
      )}
      <ScenarioPanel scenarios={scenarios} nameOf={nameOf} onShow={show} />
    </>
  );
}

function withFailures(marks: Map<string, NodeMarks>, results: readonly RunResult[]): Map<string, NodeMarks> {
  for (const [node, failedScenarios] of failuresByNode(results))
    marks.set(node, { tokens: 0, incidents: 0, isPaused: false, ...marks.get(node), failedScenarios });
  return marks;
}
