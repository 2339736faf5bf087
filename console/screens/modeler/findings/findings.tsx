/** Findings of the compiler and the scenarios in the edited file. */
import { useDeferredValue, useMemo } from 'react';
import { namesOfElements } from '../../../features/decision/names.js';
import { useModel } from '../../../features/diagram/use-definition.js';
import type { Editing, EditingState } from '../../../features/modeler/editing.js';
import type { FileKind } from '../../../features/modeler/files/kinds.js';
import type { CheckResult } from '../../../features/modeler/thread/checker.js';
import { ProblemList } from './problem-list.js';
import { ScenarioPanel } from './scenario-panel.js';
import { useScenarios } from './use-scenarios.js';

interface FindingsProps {
  editing: Editing;
  state: EditingState;
  /** Of the file. */
  name: string;
  /** Undefined during the first check. */
  result: CheckResult | undefined;
  /** Whether the page shows the file. */
  isShown: boolean;
}

export function Findings({ kind, ...props }: FindingsProps & { kind: FileKind }) {
  return kind === 'BPMN' ? (
    <FindingsOfProcess {...props} />
  ) : (
    <FindingsOfOthers isDecision={kind === 'DMN'} {...props} />
  );
}

function FindingsOfProcess({ editing, state: { text, isDrawn }, name, result, isShown }: FindingsProps) {
  const { names, executable } = useModel(useDeferredValue(text));
  const scenarios = useScenarios({ text, name, processIDs: executable, isShown });
  const { results, reached } = scenarios.state;
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    <>
      <ProblemList {...{ editing, isDrawn, result, nameOf, results, reached }} />
      <ScenarioPanel scenarios={scenarios} nameOf={nameOf} onShow={(id) => editing.show(id)} />
    </>
  );
}

/** Elements of a form have no names apart from their keys. */
function FindingsOfOthers({
  isDecision,
  editing,
  state: { text, isDrawn },
  result,
}: FindingsProps & { isDecision: boolean }) {
  const later = useDeferredValue(isDecision ? text : '');
  const names = useMemo(() => namesOfElements(later), [later]);
  return <ProblemList {...{ editing, isDrawn, result }} nameOf={(id) => names.get(id) ?? id} />;
}
