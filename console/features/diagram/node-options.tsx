import { memo } from 'react';
import type { NodeMarks } from './node-marks.js';
import type { Model } from './model.js';

/**
 * The nodes of a process as options, those with tokens first. There may be thousands, so they are built once and not
 * for every keystroke.
 */
export const NodeOptions = memo(function NodeOptions({
  model,
  marks,
}: {
  model: Model;
  marks?: ReadonlyMap<string, NodeMarks>;
}) {
  const nodes = [...model.parents.keys()];
  const withTokens = nodes.filter((id) => marks?.has(id));
  const group = (label: string, ids: string[]) =>
    ids.length > 0 && (
      <optgroup label={label}>
        {ids.map((id) => (
          <option key={id} value={id}>
            {labelOf(id, model)}
          </option>
        ))}
      </optgroup>
    );
  return (
    <>
      <option value="">None</option>
      {group('With tokens', withTokens)}
      {group(
        withTokens.length > 0 ? 'Others' : 'All',
        nodes.filter((id) => !marks?.has(id)),
      )}
    </>
  );
});

/** The name and id of a node, because several nodes can have the same name. */
export function labelOf(id: string, { names }: Model): string {
  const name = names.get(id);
  return name === undefined ? id : `${name} (${id})`;
}
