import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';
import type { Hook } from './edit-hook.js';

export function DeleteHookDialog({ hook: { hookID, name }, onClose }: { hook: Hook; onClose(): void }) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const toasts = useToasts();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/projects/{projectID}/hooks/{hookID}', { params: { path: { projectID, hookID } } })),
    onSuccess: () => {
      toasts.done(`${name} deleted.`);
      void navigate('../hooks', { replace: true });
    },
  });
  return (
    <FormDialog
      title={`Delete ${name}?`}
      submitLabel="Delete the hook"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Its path is refused from now on, and its deliveries are no longer listed. Published messages stay.</p>
    </FormDialog>
  );
}
