/** Evaluates a version with a context that the user enters. The host records it like any other evaluation. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { JsonView } from '../../components/values/json-view.js';
import { useProject } from '../../frame/project/project.js';
import styles from './decision-file.module.css';

type Result = Schemas['EvaluationResult'];

export interface Evaluated {
  results: Result[];
  /** Ids of the rules that have matched, by the id of their decision. */
  hitRules: ReadonlyMap<string, ReadonlySet<string>>;
}

export function TestPane({
  definitionID,
  onEvaluated,
}: {
  definitionID: string;
  onEvaluated(evaluated: Evaluated | undefined): void;
}) {
  const { id: projectID } = useProject();
  const [context, setContext] = useState<Record<string, unknown> | undefined>({});
  const evaluate = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/projects/{projectID}/dmn/definitions/{definitionID}/evaluate', {
          params: { path: { projectID, definitionID } },
          body: { context: context! },
        }),
      ),
    onSuccess: (answer) => {
      const results = Object.values(answer);
      onEvaluated({ results, hitRules: hitRulesOf(results) });
    },
    onError: () => onEvaluated(undefined),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        evaluate.mutate();
      }}
    >
      <JsonEditor
        label="Context"
        hint='Input data by name: { "amount": 100 }. This evaluation is recorded like any other.'
        rows={5}
        onChange={setContext}
      />
      <Refusal error={evaluate.error} />
      <div>
        <Button type="submit" kind="primary" icon="play" isBusy={evaluate.isPending} disabled={context === undefined}>
          Evaluate
        </Button>
      </div>
    </form>
  );
}

export function Results({ evaluated: { results } }: { evaluated: Evaluated }) {
  return (
    <dl className={styles.results}>
      {results.map(({ decisionID, name, value, error, warnings = [] }) => (
        <div key={decisionID}>
          <dt>{name}</dt>
          <dd>
            {error === null ? (
              <JsonView label={`Result of ${name}`} value={value} openDepth={2} />
            ) : (
              <p className={styles.problem}>{error}</p>
            )}
          </dd>
          {warnings.map(({ message, elementID }, index) => (
            <dd key={index} className={styles.problem}>
              {elementID && <code>{elementID}</code>} {message}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** A decision that several others require is among the dependencies of each. */
function hitRulesOf(results: readonly Result[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = ({ decisionID, hitRules = [], dependencies = [] }: Result) => {
    const ids = found.get(decisionID) ?? new Set();
    for (const { ruleID } of hitRules) if (ruleID !== undefined) ids.add(ruleID);
    found.set(decisionID, ids);
    dependencies.forEach(visit);
  };
  results.forEach(visit);
  return found;
}
