import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';

/** Asks for the name of the project, to prevent accidental deletion. */
export function DeleteProjectDialog({ onClose }: { onClose(): void }) {
  const { id: projectID, name } = useProject();
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const toasts = useToasts();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/projects/{projectID}', { params: { path: { projectID } } })),
    onSuccess: () => {
      toasts.done(`${name} deleted.`);
      void navigate('/', { replace: true });
    },
  });
  return (
    <FormDialog
      title={`Delete ${name}?`}
      submitLabel="Delete the project"
      isDangerous
      isBusy={remove.isPending}
      isIncomplete={typed !== name}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Everything in the project is deleted permanently. Roles at the identity provider stay: their holders find the
        project empty.
      </p>
      <TextField
        label={`Type ${name} to confirm`}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}
