/** A deployment with the members that clients of Camunda 8 read. */
import { z } from 'zod';
import type { BundleFile } from '../../../../store/definitions/bundle.js';
import { deployment } from '../../deployments/shared/schemas.js';

const TENANT = '<default>';

const tenantId = z.literal(TENANT);
const resourceName = z.string();

const processDefinition = z.strictObject({
  processDefinitionId: z.string(),
  processDefinitionVersion: z.int(),
  processDefinitionKey: z.string(),
  resourceName,
  tenantId,
});
const decisionRequirements = z.strictObject({
  decisionRequirementsId: z.string(),
  decisionRequirementsName: z.string(),
  version: z.int(),
  decisionRequirementsKey: z.string(),
  resourceName,
  tenantId,
});
const decisionDefinition = z.strictObject({
  decisionDefinitionId: z.string(),
  name: z.string(),
  version: z.int(),
  decisionDefinitionKey: z.string(),
  decisionRequirementsId: z.string(),
  decisionRequirementsKey: z.string(),
  tenantId,
});
const form = z.strictObject({ formId: z.string(), version: z.int(), formKey: z.string(), resourceName, tenantId });

const deployed = z.union([
  z.strictObject({ processDefinition }),
  z.strictObject({ decisionRequirements }),
  z.strictObject({ decisionDefinition }),
  z.strictObject({ form }),
]);

/** `deploymentKey` is empty if nothing is new. */
export const camundaDeployment = deployment
  .extend({ deploymentKey: z.string(), tenantId, deployments: z.array(deployed) })
  .meta({ id: 'CamundaDeployment' });

type Deployment = z.output<typeof deployment>;
type File = Deployment['files'][number];

/** @param compiled the files of the deployment, in its order */
export function toCamundaDeployment(
  found: Deployment,
  compiled: readonly BundleFile[],
): z.output<typeof camundaDeployment> {
  return {
    ...found,
    deploymentKey: found.deploymentID ?? '',
    tenantId: TENANT,
    deployments: found.files.flatMap((file, index) => deployedOf(file, compiled[index]!)),
  };
}

/** Element templates have no counterpart. */
function deployedOf(file: File, compiled: BundleFile): z.output<typeof deployed>[] {
  const place = { resourceName: file.name, tenantId: TENANT } as const;
  const version = file.version ?? 0;
  if (compiled.kind === 'BPMN')
    return (file.processes ?? []).map((process) => ({
      processDefinition: {
        processDefinitionId: process.processID,
        processDefinitionVersion: process.version,
        processDefinitionKey: process.definitionID ?? '',
        ...place,
      },
    }));
  if (compiled.kind === 'FORM')
    return [{ form: { formId: compiled.formID, version, formKey: `${compiled.formID}:${version}`, ...place } }];
  return compiled.kind === 'DMN' ? decisionsOf(compiled.content, file, place) : [];
}

function decisionsOf(
  { definitionsID, decisions }: Extract<BundleFile, { kind: 'DMN' }>['content'],
  { definitionID: decisionRequirementsKey = '', version = 0 }: File,
  { resourceName: fileName }: { resourceName: string },
): z.output<typeof deployed>[] {
  const requirements = { decisionRequirementsId: definitionsID, decisionRequirementsKey };
  return [
    {
      decisionRequirements: {
        ...requirements,
        decisionRequirementsName: definitionsID,
        version,
        resourceName: fileName,
        tenantId: TENANT,
      },
    },
    ...decisions.map((decision) => ({
      decisionDefinition: {
        ...requirements,
        decisionDefinitionId: decision.decisionID,
        name: decision.decisionName,
        version,
        decisionDefinitionKey: `${decisionRequirementsKey}:${decision.decisionID}`,
        tenantId: TENANT as typeof TENANT,
      },
    })),
  ];
}
