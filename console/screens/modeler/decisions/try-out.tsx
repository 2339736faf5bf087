/** Evaluates a decision of the edited file on the page. Nothing is sent, and the matched rules are marked. */
import type { DecisionSummary } from '@perdure/dmn/summary.js';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/basics/button.js';
import { Refusal } from '../../../components/dialogs/form-dialog.js';
import { SelectField, TextField } from '../../../components/fields/field.js';
import { hitRulesOf, Results, type Evaluated } from '../../../features/decision/results.js';
import type { Editing } from '../../../features/modeler/editing.js';
import { evaluateInThread } from '../../../features/modeler/thread/checker.js';
import { startThread } from '../../../features/modeler/thread/start-thread.js';
import { contextOf, hintOf } from './inputs.js';
import styles from './try-out.module.css';

interface TryOutProps {
  editing: Editing;
  /** Undefined while the file has errors that leave nothing to evaluate. */
  decisions: readonly DecisionSummary[] | undefined;
  imported: readonly string[] | undefined;
  /** The file: its result is out of date once it changes. */
  text: string;
  /** The part of the file that is shown. */
  shownPart: string | undefined;
}

export function TryOut({ editing, decisions, imported, text, shownPart }: TryOutProps) {
  const [chosen, choose] = useState<string>();
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const decision = (id: string | undefined) => decisions?.find(({ decisionID }) => decisionID === id);
  const tried = decision(chosen) ?? decision(shownPart) ?? decisions?.at(-1);
  const evaluate = useMutation({
    mutationFn: async ({ decisionID, inputFields }: DecisionSummary): Promise<Evaluated> => {
      const results = await evaluateInThread(startThread(), {
        xml: await editing.read(),
        imported: imported ?? [],
        decisionID,
        context: contextOf(inputFields, texts),
        now: Date.now(),
      });
      return { results: [...results], hitRules: hitRulesOf(results) };
    },
    onSuccess: ({ hitRules }) => editing.markRules(new Set([...hitRules.values()].flatMap((ids) => [...ids]))),
  });
  const { reset } = evaluate;
  useEffect(() => {
    reset();
    editing.markRules(new Set());
  }, [editing, reset, text]);
  if (tried === undefined) return <p className={styles.note}>The file has no decision that can be evaluated.</p>;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        evaluate.mutate(tried);
      }}
    >
      <SelectField label="Try it" value={tried.decisionID} onChange={({ target }) => choose(target.value)}>
        {decisions?.map(({ decisionID, decisionName }) => (
          <option key={decisionID} value={decisionID}>
            {decisionName}
          </option>
        ))}
      </SelectField>
      {tried.inputFields.map(({ name, typeRef }) => (
        <TextField
          key={name}
          label={name}
          hint={hintOf(typeRef)}
          autoComplete="off"
          value={texts.get(name) ?? ''}
          onChange={({ target }) => setTexts(new Map([...texts, [name, target.value]]))}
        />
      ))}
      <div>
        <Button type="submit" icon="play" isBusy={evaluate.isPending}>
          Evaluate
        </Button>
      </div>
      <Refusal error={evaluate.error} />
      {evaluate.data && <Results evaluated={evaluate.data} />}
    </form>
  );
}
