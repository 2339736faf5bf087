import type { z } from 'zod';
import type { CompiledResource } from '@perdure/bpmn';
import { definitionsOfResource } from '../../../../store/definitions/definitions.js';
import type { ListedResource, Resource } from '../../../../store/definitions/resources.js';
import type { ApiContext } from '../../../context.js';
import { optionalTime, time } from '../../../contract/wire.js';
import { toProcessDefinition } from '../../definitions/shared/definition.js';
import type { resource, resourceDetail } from './schemas.js';

export function toResource(found: Resource): z.output<typeof resource> {
  const { resourceID, name, xml, definitionsID, deployedAt, createdBy, createdAt } = found;
  return {
    id: resourceID,
    name,
    xml,
    definitionsID,
    isDeployed: deployedAt !== null,
    deployedAt: optionalTime(deployedAt),
    createdBy,
    createdAt: time(createdAt),
  };
}

export function toListedResource({ xml, isOmitted, ...found }: ListedResource): z.output<typeof resource> {
  return { ...toResource({ ...found, xml: xml ?? '' }), ...(isOmitted && { xmlOmitted: true as const }) };
}

/** The `ETag` of a resource: it names one content of the draft, which a deployed resource keeps. */
export function tagOf({ revision }: Resource): { ETag: string } {
  return { ETag: `"${revision}"` };
}

/** The revisions that entity tags name; those of other origin name none. */
export function revisionsOf(tags: readonly string[] | undefined): number[] | undefined {
  return tags?.filter((tag) => /^[1-9][0-9]{0,8}$/.test(tag)).map(Number);
}

/** A draft with its problems. */
export function toDraft(draft: Resource, problems: CompiledResource['problems']): z.output<typeof resourceDetail> {
  return { ...toResource(draft), hasSuspendedDefinition: false, processes: [], warnings: problems };
}

/** A resource with its deployed processes. */
export async function readDetail({ store }: ApiContext, found: Resource): Promise<z.output<typeof resourceDetail>> {
  const definitions = await definitionsOfResource(store, found.projectID, found.resourceID);
  const hasSuspendedDefinition = definitions.some(({ suspendedAt }) => suspendedAt !== null);
  return { ...toResource(found), hasSuspendedDefinition, processes: definitions.map(toProcessDefinition) };
}
