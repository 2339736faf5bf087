import type { Schemas } from '../../../frame/api/client.js';
import { SelectField } from '../../../components/fields/field.js';
import { useAddress, type Address } from '../../../frame/layout/use-address.js';
import { useVersions } from '../../../frame/project/processes.js';

/** Selects the version to compare with, in the address. */
export function CompareField({ version: { processID, version } }: { version: Schemas['BpmnProcessDefinition'] }) {
  const address = useAddress();
  const others = (useVersions(processID).data?.data ?? []).filter((other) => other.version !== version);
  return (
    <SelectField
      label="Compare with"
      value={comparedVersion(address, version) ?? ''}
      onChange={({ target }) => address.set({ compare: target.value })}
    >
      <option value="">Nothing</option>
      {others.map((other) => (
        <option key={other.id} value={other.version}>
          Version {other.version}
        </option>
      ))}
    </SelectField>
  );
}

/** The version of the address to compare with. A version is not compared with itself. */
export function comparedVersion({ get }: Pick<Address, 'get'>, version: number): number | undefined {
  const other = Number(get('compare'));
  return Number.isInteger(other) && other >= 1 && other !== version ? other : undefined;
}
