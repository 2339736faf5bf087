/** Dialogs for managing a member. Changes take effect with the next token. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api, ApiProblem } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { SelectField, TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';
import { roles } from '../../frame/project/roles.js';
import type { ProjectRole } from '../../frame/project/roles.js';

export type Member = Schemas['ProjectMember'];

const allows: Readonly<Record<ProjectRole, string>> = {
  viewer: 'Can view everything and change nothing.',
  executor: 'Also starts instances, publishes messages, works on jobs and tasks.',
  editor: 'Also deploys, resolves incidents, cancels, migrates, sets variables.',
  admin: 'Also suspends and modifies, and manages members and settings.',
};

export function AddMemberDialog({ onClose }: { onClose(): void }) {
  const [subject, setSubject] = useState('');
  const [role, setRole] = useState<ProjectRole>('viewer');
  const put = usePut(subject.trim(), role, onClose);
  return (
    <FormDialog
      title="Add a member"
      submitLabel="Add"
      isBusy={put.isPending}
      isIncomplete={subject.trim() === ''}
      error={put.error}
      onSubmit={() => put.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Subject"
        hint="The sub claim of their tokens: their id at the identity provider."
        value={subject}
        required
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setSubject(target.value)}
      />
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  );
}

export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const [role, setRole] = useState(member.role);
  const put = usePut(member.subject, role, onClose);
  return (
    <FormDialog
      title={`Change the role of ${nameOf(member)}`}
      submitLabel="Change the role"
      isBusy={put.isPending}
      isIncomplete={role === member.role}
      error={put.error}
      onSubmit={() => put.mutate()}
      onClose={onClose}
    >
      <RoleField role={role} onChange={setRole} />
      <p>The change applies to their next token. The current one keeps its permissions until it expires.</p>
    </FormDialog>
  );
}

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/projects/{projectID}/members/{subject}', {
          params: { path: { projectID, subject: member.subject } },
        }),
      ),
    onSuccess: () => {
      toasts.done(`${nameOf(member)} removed.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Remove ${nameOf(member)}?`}
      submitLabel="Remove"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        They lose their role in this project. Their current token keeps its permissions until it expires. To revoke
        access at once, end their session at the identity provider too.
      </p>
    </FormDialog>
  );
}

function RoleField({ role, onChange }: { role: ProjectRole; onChange(role: ProjectRole): void }) {
  return (
    <SelectField
      label="Role"
      hint={allows[role]}
      value={role}
      onChange={({ target }) => onChange(target.value as ProjectRole)}
    >
      {roles.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </SelectField>
  );
}

function usePut(subject: string, role: ProjectRole, onClose: () => void) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async () => {
      try {
        return await unwrap(
          api.PUT('/projects/{projectID}/members/{subject}', {
            params: { path: { projectID, subject } },
            body: { role },
          }),
        );
      } catch (error) {
        // For an admin, this response has no other cause.
        throw error instanceof ApiProblem && error.code === 'NOT_FOUND'
          ? new Error(`The identity provider has no subject ${subject}.`)
          : error;
      }
    },
    onSuccess: (member) => {
      toasts.done(`${nameOf(member)} is now ${member.role}.`);
      onClose();
    },
  });
}

function nameOf({ subject, name }: Member): string {
  return name ?? subject;
}
