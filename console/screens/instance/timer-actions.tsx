/** Actions of editors on an open timer: fire it, or change when it is due. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { TextField } from '../../components/fields/field.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { Time } from '../../components/values/time.js';
import { api, unwrap } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { useInstance } from './use-instance.js';

interface Timer {
  timerID: string;
  dueAt: string;
}

export function TimerActions(timer: Timer) {
  const [open, setOpen] = useState<'fire' | 'change'>();
  const close = () => setOpen(undefined);
  return (
    <span>
      <Button onClick={() => setOpen('fire')}>Fire now</Button>{' '}
      <Button onClick={() => setOpen('change')}>Change due time</Button>
      {open === 'fire' && <FireDialog {...timer} onClose={close} />}
      {open === 'change' && <ChangeDialog {...timer} onClose={close} />}
    </span>
  );
}

function FireDialog({ timerID, dueAt, onClose }: Timer & { onClose(): void }) {
  const { projectID, instance } = useInstance();
  const [reason, setReason] = useState('');
  const path = { projectID, workflowID: instance.workflowID, timerID };
  const command = useCommand(
    'Timer fired.',
    async () => {
      const { data, error, response } = await api.POST(
        '/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}/fire',
        { params: { path }, body: asked(reason) },
      );
      return unwrap(Promise.resolve({ data: data ?? {}, error, response }));
    },
    onClose,
  );
  return (
    <FormDialog
      title="Fire this timer now?"
      submitLabel="Fire the timer"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        The timer is due <Time value={dueAt} isExact />. It takes effect now, or when a paused instance is resumed.
        Later ticks of a cycle stay as they are.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function ChangeDialog({ timerID, dueAt, onClose }: Timer & { onClose(): void }) {
  const { projectID, instance } = useInstance();
  const [local, setLocal] = useState(() => toLocal(dueAt));
  const [reason, setReason] = useState('');
  const path = { projectID, workflowID: instance.workflowID, timerID };
  const command = useCommand<string>(
    'Due time changed.',
    (due) =>
      unwrap(
        api.PATCH('/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}', {
          params: { path },
          body: { dueAt: due, ...asked(reason) },
        }),
      ).then((changed) => ('commandID' in changed ? changed : undefined)),
    onClose,
  );
  const due = new Date(local);
  const isValid = !Number.isNaN(due.getTime());
  return (
    <FormDialog
      title="Change when the timer is due"
      submitLabel="Change the due time"
      isBusy={command.isPending}
      isIncomplete={!isValid}
      error={command.error}
      onSubmit={() => command.mutate(due.toISOString())}
      onClose={onClose}
    >
      <TextField
        label="Due"
        type="datetime-local"
        step={1}
        hint="In the time zone of this browser. A time in the past is now."
        value={local}
        onChange={({ target }) => setLocal(target.value)}
      />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

/** As an input for local times takes it, to the second. */
function toLocal(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
