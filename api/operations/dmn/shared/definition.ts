/** A definition on the wire. */
import type { z } from 'zod';
import type { WorkDone } from '@perdure/dmn/work.js';
import type { CountedDefinition, DecisionDefinition, Listed } from '../../../../store/decisions/decisions.js';
import { time } from '../../../contract/wire.js';
import type { definition, definitionWithWarnings } from './schemas.js';

export function toDefinition(found: DecisionDefinition | CountedDefinition): z.output<typeof definition> {
  const { definitionID, name, definitionsID, xml, version, createdBy, createdAt } = found;
  const versionCount = 'versionCount' in found ? found.versionCount : undefined;
  return {
    id: definitionID,
    name,
    definitionsID,
    xml,
    version,
    createdBy,
    createdAt: time(createdAt),
    ...(versionCount !== undefined && { versionCount }),
  };
}

export function toListedDefinition({
  xml,
  isOmitted,
  ...found
}: Listed<DecisionDefinition> | Listed<CountedDefinition>): z.output<typeof definition> {
  return { ...toDefinition({ ...found, xml: xml ?? '' }), ...(isOmitted && { xmlOmitted: true as const }) };
}

export function withWarnings(
  found: DecisionDefinition,
  warnings: WorkDone['problems'],
): z.output<typeof definitionWithWarnings> {
  return { ...toDefinition(found), warnings };
}
