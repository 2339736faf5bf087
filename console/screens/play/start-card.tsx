/** The beginning of a play: the process to start, and its variables. */
import { useId, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField, TextField } from '../../components/fields/field.js';
import formStyles from '../../components/fields/form.module.css';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { given } from './move-forms.js';
import { usePlay } from './use-play.js';
import type { Subject } from './use-subject.js';

export function StartCard({ subject: { processID, processIDs } }: { subject: Subject }) {
  const { player } = usePlay();
  const address = useAddress();
  const formID = useId();
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const [businessId, setBusinessId] = useState('');
  const id = businessId.trim();
  return (
    <Card title="Start">
      <form
        id={formID}
        className={formStyles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (variables) player.move({ start: { ...given(variables), ...(id !== '' && { businessId: id }) } });
        }}
      >
        <p>
          The process runs in this page only. Nothing is sent to the host, and nothing there changes. A message or a
          signal can start it, too.
        </p>
        {processIDs.length > 1 && (
          <SelectField
            label="Process"
            value={processID}
            onChange={({ target }) => address.set({ process: target.value })}
          >
            {processIDs.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Business id"
          hint="Part of the scenario. Optional."
          value={businessId}
          maxLength={255}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setBusinessId(target.value)}
        />
        <JsonEditor label="Variables" hint="Variables to start with." onChange={setVariables} />
        <div>
          <Button type="submit" kind="primary" icon="play" disabled={variables === undefined}>
            Start
          </Button>
        </div>
      </form>
    </Card>
  );
}
