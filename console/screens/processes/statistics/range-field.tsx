import { SelectField } from '../../../components/fields/field.js';
import { atRange, rangeOf, ranges } from '../../../features/statistics/range.js';
import { useAddress } from '../../../frame/layout/use-address.js';

/** Selects the range of time, in the address. */
export function RangeField() {
  const address = useAddress();
  return (
    <SelectField
      label="Time"
      value={rangeOf(address.get('range')).id}
      onChange={({ target }) => address.set(atRange(target.value))}
    >
      {ranges.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
