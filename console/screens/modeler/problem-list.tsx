/** The problems of the edited file, as a list and as marks on its drawing. */
import { useDeferredValue, useEffect, useMemo } from 'react';
import { Banner } from '../../components/feedback/banner.js';
import { Loading } from '../../components/feedback/states.js';
import { namesOfElements } from '../../features/decision/names.js';
import { useModel } from '../../features/diagram/use-definition.js';
import type { Editing } from '../../features/modeler/editing.js';
import type { FileKind } from '../../features/modeler/files/kinds.js';
import type { CheckResult } from '../../features/modeler/thread/checker.js';
import { marksOf, Problems } from '../deploy/problems.js';

interface ProblemListProps {
  kind: FileKind;
  editing: Editing;
  text: string;
  isDrawn: boolean;
  /** Undefined during the first check. */
  result: CheckResult | undefined;
}

export function ProblemList({ kind, editing, text, isDrawn, result }: ProblemListProps) {
  const names = useNames(kind, useDeferredValue(text));
  const issues = useMemo(
    () =>
      result && 'problems' in result
        ? result.problems.toSorted((one, other) => one.severity.localeCompare(other.severity))
        : undefined,
    [result],
  );
  useEffect(() => {
    if (isDrawn && issues) editing.mark(marksOf(issues));
  }, [editing, isDrawn, issues]);
  if (result && 'failed' in result)
    return (
      <Banner tone="amber" icon="alert" title="The file was not checked.">
        {result.failed} The host checks it when it is deployed.
      </Banner>
    );
  if (!issues) return <Loading lines={2} label="Checking the file" />;
  return <Problems issues={issues} nameOf={(id) => names.get(id) ?? id} onSelect={(id) => editing.show(id)} />;
}

function useNames(kind: FileKind, text: string): ReadonlyMap<string, string> {
  const model = useModel(kind === 'BPMN' ? text : undefined);
  const decisions = useMemo(() => namesOfElements(kind === 'DMN' ? text : ''), [kind, text]);
  return kind === 'BPMN' ? model.names : decisions;
}
