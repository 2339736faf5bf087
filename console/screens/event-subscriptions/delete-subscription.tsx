import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';
import type { Subscription } from './state.js';

export function DeleteSubscriptionDialog({
  subscription: { subscriptionID, name, pending, deadLetters },
  onClose,
}: {
  subscription: Subscription;
  onClose(): void;
}) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const toasts = useToasts();
  const [reason, setReason] = useState('');
  const remove = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/projects/{projectID}/events/subscriptions/{subscriptionID}', {
          params: { path: { projectID, subscriptionID }, query: asked(reason) },
        }),
      ),
    onSuccess: () => {
      toasts.done(`${name} deleted.`);
      void navigate('../event-subscriptions', { replace: true });
    },
  });
  return (
    <FormDialog
      title={`Delete ${name}?`}
      submitLabel="Delete the subscription"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Its pending events ({pending.toLocaleString('en')}) and dead letters ({deadLetters.toLocaleString('en')}) are
        never delivered. To keep them, disable the subscription instead.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
