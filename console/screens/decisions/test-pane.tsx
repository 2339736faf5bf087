/** Evaluates a version with a context that the user enters. The host records it like any other evaluation. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { hitRulesOf, type Evaluated } from '../../features/decision/results.js';
import { useProject } from '../../frame/project/project.js';
import styles from './decision-file.module.css';

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
