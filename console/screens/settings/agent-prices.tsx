/** Prices of language models, by which turns of agents have costs. Typed as a table, one line for each model. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { TextArea } from '../../components/fields/field.js';
import form from '../../components/fields/form.module.css';
import { useToasts } from '../../components/feedback/toast.js';
import type { Schemas } from '../../frame/api/client.js';
import { readPrices, writePrices } from './price-lines.js';
import { useSaving } from './saving.js';
import styles from './settings.module.css';

export function AgentPrices({ prices }: { prices: readonly Schemas['AgentPrice'][] }) {
  const toasts = useToasts();
  const [typed, setTyped] = useState<string>();
  const stored = writePrices(prices);
  const text = typed ?? stored;
  const { problem, prices: read } = readPrices(text);
  const save = useSaving(() => {
    setTyped(undefined);
    toasts.done('Prices saved.');
  });
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ agentPrices: read });
      }}
    >
      <TextArea
        label="Prices"
        hint="One model per line: its name, the price of a million input tokens, of a million output tokens, and the currency, such as: small 0.25 1.25 EUR. Costs of past turns follow too."
        problem={problem}
        rows={4}
        spellCheck={false}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Refusal error={save.error} />
      <div className={styles.buttons}>
        <Button
          type="submit"
          kind="primary"
          isBusy={save.isPending}
          disabled={problem !== undefined || writePrices(read) === stored}
        >
          Set prices
        </Button>
      </div>
    </form>
  );
}
