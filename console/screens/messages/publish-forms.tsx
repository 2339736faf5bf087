/** Publishes messages and signals, like an external system. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { TextField } from '../../components/fields/field.js';
import form from '../../components/fields/form.module.css';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { inWords, readCorrelation } from './correlation.js';
import styles from './messages.module.css';

const correlationHint =
  'Compared by value and type: order-1, 17, "17", true, or { "orderID": "order-1" }. Empty for a message ' +
  'that starts a process.';

export function PublishForms() {
  return (
    <div className={styles.forms}>
      <Card title="Publish a message">
        <MessageForm />
      </Card>
      <Card title="Publish a signal">
        <SignalForm />
      </Card>
    </div>
  );
}

function MessageForm() {
  const { id: projectID } = useProject();
  const [name, setName] = useState(useAddress().get('name') ?? '');
  const [typed, setTyped] = useState('');
  const correlationKeys = readCorrelation(typed);
  const publish = usePublication(`Message ${name} published.`, ({ variables, ttl }) =>
    unwrap(
      api.POST('/projects/{projectID}/bpmn/messages', {
        params: { path: { projectID } },
        body: { messageName: name.trim(), correlationKeys, variables, ttl },
      }),
    ),
  );
  return (
    <PublicationForm
      publish={publish}
      isIncomplete={name.trim() === ''}
      explanation={
        'Correlates to the instance that has waited longest for it, or starts a process. ' +
        'Otherwise it is stored until its time to live ends.'
      }
    >
      <TextField
        label="Message name"
        value={name}
        required
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Correlation"
        hint={correlationKeys === undefined ? correlationHint : inWords(correlationKeys)}
        value={typed}
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
      />
    </PublicationForm>
  );
}

function SignalForm() {
  const { id: projectID } = useProject();
  const [name, setName] = useState('');
  const publish = usePublication(`Signal ${name} published.`, ({ variables, ttl }) =>
    unwrap(
      api.POST('/projects/{projectID}/bpmn/signals', {
        params: { path: { projectID } },
        body: { signalName: name.trim(), variables, ttl },
      }),
    ),
  );
  return (
    <PublicationForm
      publish={publish}
      isIncomplete={name.trim() === ''}
      explanation="Reaches every instance that waits for it, and starts every process that has it as a start event."
    >
      <TextField
        label="Signal name"
        value={name}
        required
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
      />
    </PublicationForm>
  );
}

interface Content {
  variables: Record<string, unknown>;
  ttl: string | undefined;
}

function usePublication(done: string, run: (content: Content) => Promise<unknown>) {
  const toasts = useToasts();
  return useMutation({ mutationFn: run, onSuccess: () => toasts.done(done) });
}

function PublicationForm({
  publish,
  isIncomplete,
  explanation,
  children,
}: {
  publish: ReturnType<typeof usePublication>;
  isIncomplete: boolean;
  explanation: string;
  children: ReactNode;
}) {
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const [ttl, setTtl] = useState('');
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        publish.mutate({ variables: variables!, ttl: ttl.trim() || undefined });
      }}
    >
      <p>{explanation}</p>
      {children}
      <JsonEditor label="Variables" onChange={setVariables} />
      <TextField
        label="Time to live"
        hint="PT1H or 1h30m; PT0S reaches only current subscribers. Empty: project setting."
        value={ttl}
        spellCheck={false}
        onChange={({ target }) => setTtl(target.value)}
      />
      <Refusal error={publish.error} />
      <div>
        <Button
          type="submit"
          kind="primary"
          isBusy={publish.isPending}
          disabled={isIncomplete || variables === undefined}
        >
          Publish
        </Button>
      </div>
    </form>
  );
}
