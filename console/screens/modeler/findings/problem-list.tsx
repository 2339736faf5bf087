/** The problems of the edited file, as a list, and as marks on its drawing. */
import { useEffect, useMemo } from 'react';
import { Banner } from '../../../components/feedback/banner.js';
import { Loading } from '../../../components/feedback/states.js';
import type { NodeMarks } from '../../../features/diagram/node-marks.js';
import type { Editing } from '../../../features/modeler/editing.js';
import { failuresByNode, type RunResult } from '../../../features/modeler/scenarios/runner.js';
import type { CheckResult } from '../../../features/modeler/thread/checker.js';
import { marksOf, Problems } from '../../deploy/problems.js';

interface ProblemListProps {
  editing: Editing;
  isDrawn: boolean;
  /** Undefined during the first check. */
  result: CheckResult | undefined;
  nameOf(id: string): string;
  /** Of scenarios, which are marked as well. */
  results?: readonly RunResult[];
  reached?: ReadonlySet<string>;
}

const noResults: readonly RunResult[] = [];
const nothing: ReadonlySet<string> = new Set();

export function ProblemList({
  editing,
  isDrawn,
  result,
  nameOf,
  results = noResults,
  reached = nothing,
}: ProblemListProps) {
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
  if (result && 'failed' in result)
    return (
      <Banner tone="amber" icon="alert" title="The file was not checked.">
        {result.failed} The host checks it when it is deployed.
      </Banner>
    );
  if (!issues) return <Loading lines={2} label="Checking the file" />;
  return <Problems issues={issues} nameOf={nameOf} onSelect={(id) => editing.show(id)} />;
}

function withFailures(marks: Map<string, NodeMarks>, results: readonly RunResult[]): Map<string, NodeMarks> {
  for (const [node, failedScenarios] of failuresByNode(results))
    marks.set(node, { tokens: 0, incidents: 0, isPaused: false, ...marks.get(node), failedScenarios });
  return marks;
}
