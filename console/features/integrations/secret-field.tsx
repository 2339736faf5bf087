import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { TextField } from '../../components/fields/field.js';
import { unwrap, api } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

/** The name of a secret. Suggests those of the project, and accepts one that an operator adds later. */
export function SecretField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const { id: projectID } = useProject();
  const listID = useId();
  const { data } = useQuery({
    queryKey: [projectID, 'secrets', 'names'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/secrets', { params: { path: { projectID }, query: { pageSize: 100 } }, signal }),
      ),
  });
  return (
    <>
      <TextField
        label="Secret"
        hint="Its name in the configuration of the host, never the secret itself."
        value={value}
        required
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        list={listID}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listID}>
        {data?.data.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
