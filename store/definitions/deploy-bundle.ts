/** Deploys several files in one transaction: all of them, visible at once, or none. */
import { randomUUID } from 'node:crypto';
import { insertVersion } from '../decisions/change-definitions.js';
import { beingDeleted, lockProject } from '../projects/lock.js';
import type { Database, Transaction } from '../sql/database.js';
import type { Refusal } from '../sql/refusal.js';
import { indexedText } from '../sql/text.js';
import { refusalOfTemplates, replaceTemplates } from '../element-templates/element-templates.js';
import {
  templateIDsOf,
  type BpmnFile,
  type BundleFile,
  type DeployedFile,
  type DmnFile,
  type FormFile,
} from './bundle.js';
import { itemKey, planBundle, type BundlePlan } from './bundle-plan.js';
import { findDeployment, type Deployment } from './deployments.js';
import { insertDefinition } from './new-definition.js';
import { readNewest } from './newest-versions.js';

export interface Bundle {
  projectID: string;
  name?: string | undefined;
  reason?: string | undefined;
  deployedBy: string;
  files: readonly BundleFile[];
}

export type BundleOutcome =
  | { kind: 'deployed'; deployment: Deployment }
  /** Nothing was written: a dry run, or nothing is new. */
  | { kind: 'compared'; files: DeployedFile[] }
  | Refusal<'CONFLICT'>;

/**
 * Deploys a bundle. Deployments of one project wait for each other, so that versions are counted without gaps. The
 * project has a row (see `ensureProject`).
 * @param dryRun only determines what a deployment would do
 */
export async function deployBundle(
  database: Database,
  bundle: Bundle,
  { dryRun = false } = {},
): Promise<BundleOutcome> {
  return database.transaction(async (transaction) => {
    if (!(await lockProject(transaction, bundle.projectID))) return beingDeleted(bundle.projectID);
    const templates = bundle.files.filter((file) => file.kind === 'TEMPLATE').flatMap((file) => file.templates);
    const refusal = await refusalOfTemplates(transaction, bundle.projectID, templates);
    if (refusal) return refusal;
    const plan = planBundle(bundle.files, await readNewest(transaction, bundle.projectID, bundle.files));
    const files = bundle.files.map((file) => resultOf(file, plan));
    if (dryRun || files.every(({ state }) => state === 'UNCHANGED'))
      return { kind: 'compared', files: files.map(withoutNewIDs) };
    return { kind: 'deployed', deployment: await write(transaction, bundle, plan, files) };
  });
}

/** Ids of versions that are not written exist nowhere. */
function withoutNewIDs({ processes, ...file }: DeployedFile): DeployedFile {
  return {
    ...file,
    ...(file.state === 'CREATED' && { resourceID: undefined, definitionID: undefined }),
    ...(processes && {
      processes: processes.map((process) =>
        process.state === 'CREATED' ? { ...process, definitionID: undefined } : process,
      ),
    }),
  };
}

function resultOf(file: BundleFile, plan: BundlePlan): DeployedFile {
  const { name, kind } = file;
  if (file.kind === 'FORM') {
    const { state, version } = plan.forms.get(file.formID)!;
    return { name, kind, state, formID: file.formID, version };
  }
  if (file.kind === 'TEMPLATE')
    return { name, kind, state: plan.templateFiles.get(name)!, templateIDs: templateIDsOf(file) };
  if (file.kind === 'DMN') {
    const { id, state, version } = plan.decisionFiles.get(file.content.definitionsID)!;
    return { name, kind, state, definitionID: id, version };
  }
  const processes = file.processes.map(({ processID }) => {
    const { id, version, state } = plan.processes.get(processID)!;
    return { processID, definitionID: id, version, state };
  });
  const isNew = processes.some(({ state }) => state === 'CREATED');
  return {
    name,
    kind,
    state: isNew ? 'CREATED' : 'UNCHANGED',
    ...(isNew && { resourceID: randomUUID() }),
    processes,
  };
}

/** One transaction's work: its deployment, and what it writes. */
interface Writing {
  transaction: Transaction;
  bundle: Bundle;
  plan: BundlePlan;
  deploymentID: string;
}

async function write(
  transaction: Transaction,
  bundle: Bundle,
  plan: BundlePlan,
  files: readonly DeployedFile[],
): Promise<Deployment> {
  const { projectID, name, reason, deployedBy } = bundle;
  const writing = { transaction, bundle, plan, deploymentID: randomUUID() };
  await transaction.query(
    'INSERT INTO deployments (id, project_id, name, reason, created_by, files) VALUES ($1, $2, $3, $4, $5, $6)',
    [writing.deploymentID, projectID, name ?? null, reason ?? null, deployedBy, JSON.stringify(files)],
  );
  await writeItems(writing);
  for (const [index, file] of bundle.files.entries()) {
    if (files[index]!.state === 'UNCHANGED') continue;
    if (file.kind === 'FORM') await writeForm(writing, file);
    else if (file.kind === 'DMN') await writeDecisionFile(writing, file);
    else if (file.kind === 'TEMPLATE')
      await replaceTemplates(transaction, { projectID, deploymentID: writing.deploymentID, templates: file.templates });
    else await writeProcesses(writing, file, files[index]!.resourceID!);
  }
  await fixDecisionFiles(writing);
  return (await findDeployment(transaction, projectID, writing.deploymentID))!;
}

async function writeItems({ transaction, plan, deploymentID }: Writing): Promise<void> {
  const entries = [...plan.items].map(([item, { id }]) => ({ item, id }));
  await transaction.query(
    `INSERT INTO deployment_items (deployment_id, kind, key, id)
     SELECT $1, split_part(each.item, ' ', 1), substr(each.item, strpos(each.item, ' ') + 1), each.id
     FROM unnest($2::text[], $3::uuid[]) AS each(item, id)`,
    [deploymentID, entries.map(({ item }) => item), entries.map(({ id }) => id)],
  );
}

async function writeForm({ transaction, bundle, plan, deploymentID }: Writing, file: FormFile): Promise<void> {
  const { id, version } = plan.forms.get(file.formID)!;
  await transaction.query(
    'INSERT INTO forms (id, project_id, form_id, version, version_tag, deployment_id, schema) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [id, bundle.projectID, file.formID, version, file.versionTag ?? null, deploymentID, file.schema],
  );
}

async function writeDecisionFile({ transaction, bundle, plan }: Writing, { name, content }: DmnFile): Promise<void> {
  const { id, version } = plan.decisionFiles.get(content.definitionsID)!;
  const { projectID, deployedBy } = bundle;
  await insertVersion(transaction, { id, projectID, name, version, content, createdBy: deployedBy });
}

/** A version that a deployment contains stays as it is. */
async function fixDecisionFiles({ transaction, plan }: Writing): Promise<void> {
  await transaction.query(
    'UPDATE decision_definitions SET used_at = now() WHERE id = ANY($1::uuid[]) AND used_at IS NULL',
    [[...plan.decisionFiles.values()].map(({ id }) => id)],
  );
}

async function writeProcesses(
  { transaction, bundle, plan, deploymentID }: Writing,
  { name, xml, definitionsID, processes }: BpmnFile,
  resourceID: string,
): Promise<void> {
  const { projectID, deployedBy } = bundle;
  await transaction.query(
    `INSERT INTO resources (id, project_id, name, xml, definitions_id, created_by, deployed_by, deployed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6, now())`,
    [resourceID, projectID, name, xml, indexedText(definitionsID), deployedBy],
  );
  for (const process of processes) {
    const { id: definitionID, state } = plan.items.get(itemKey('PROCESS', process.processID))!;
    if (state === 'CREATED')
      await insertDefinition(transaction, { definitionID, projectID, resourceID, deploymentID }, process);
  }
}
