/** JSON below a heading that is its label. Without a value, neither is shown. */
import { JsonView } from './json-view.js';

export function JsonSection({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null;
  return (
    <>
      <h3>{title}</h3>
      <JsonView label={title} value={value} openDepth={2} />
    </>
  );
}
