/** Reads the newest versions of what a bundle contains, under the lock of the project. */
import { rows, type Transaction } from '../sql/database.js';
import { templatesByID } from '../element-templates/element-templates.js';
import { templateIDsOf, type BundleFile, type ItemKind } from './bundle.js';
import { itemKey, type Newest, type NewestDecisionFile, type NewestForm, type NewestProcess } from './bundle-plan.js';

export async function readNewest(
  transaction: Transaction,
  projectID: string,
  files: readonly BundleFile[],
): Promise<Newest> {
  return {
    processes: await newestProcesses(
      transaction,
      projectID,
      files.flatMap((file) => (file.kind === 'BPMN' ? file.processes.map(({ processID }) => processID) : [])),
    ),
    decisionFiles: await newestDecisionFiles(
      transaction,
      projectID,
      files.flatMap((file) => (file.kind === 'DMN' ? [file.content.definitionsID] : [])),
    ),
    forms: await newestForms(
      transaction,
      projectID,
      files.flatMap((file) => (file.kind === 'FORM' ? [file.formID] : [])),
    ),
    templates: await templatesByID(
      transaction,
      projectID,
      files.flatMap((file) => (file.kind === 'TEMPLATE' ? templateIDsOf(file) : [])),
    ),
  };
}

async function newestProcesses(transaction: Transaction, projectID: string, processIDs: readonly string[]) {
  const found = await rows<Omit<NewestProcess, 'items'> & { processID: string; deploymentID: string | null }>(
    transaction,
    `SELECT DISTINCT ON (process_id) process_id AS "processID", id, version, graph_sha256 AS "graphSha256", forms, tools,
       deployment_id AS "deploymentID"
     FROM definitions WHERE project_id = $1 AND process_id = ANY($2::text[]) ORDER BY process_id, version DESC`,
    [projectID, processIDs],
  );
  const items = await itemsOf(
    transaction,
    found.flatMap(({ deploymentID }) => deploymentID ?? []),
  );
  return new Map<string, NewestProcess>(
    found.map(({ processID, deploymentID, ...version }) => [
      processID,
      { ...version, items: (deploymentID !== null && items.get(deploymentID)) || new Map() },
    ]),
  );
}

async function itemsOf(
  transaction: Transaction,
  deploymentIDs: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const found = await rows<{ deploymentID: string; kind: ItemKind; key: string; id: string }>(
    transaction,
    'SELECT deployment_id AS "deploymentID", kind, key, id FROM deployment_items WHERE deployment_id = ANY($1::uuid[])',
    [deploymentIDs],
  );
  const items = new Map<string, Map<string, string>>();
  for (const { deploymentID, kind, key, id } of found) {
    const known = items.get(deploymentID) ?? new Map<string, string>();
    items.set(deploymentID, known.set(itemKey(kind, key), id));
  }
  return items;
}

/** Locked, because an unused version could be deleted at the same time. */
async function newestDecisionFiles(transaction: Transaction, projectID: string, definitionsIDs: readonly string[]) {
  const found = await rows<NewestDecisionFile & { definitionsID: string }>(
    transaction,
    `SELECT d.definitions_id AS "definitionsID", d.id, d.version, d.xml, d.imported,
       (SELECT max(v.version) FROM decision_definitions v WHERE v.project_id = d.project_id AND v.definitions_id = d.definitions_id) AS "lastVersion"
     FROM decision_definitions d
     WHERE d.project_id = $1 AND d.id IN (SELECT DISTINCT ON (definitions_id) id FROM decision_definitions
       WHERE project_id = $1 AND definitions_id = ANY($2::text[]) ORDER BY definitions_id, number DESC)
     FOR UPDATE`,
    [projectID, definitionsIDs],
  );
  return new Map(found.map(({ definitionsID, ...version }) => [definitionsID, version]));
}

async function newestForms(transaction: Transaction, projectID: string, formIDs: readonly string[]) {
  const found = await rows<NewestForm & { formID: string }>(
    transaction,
    `SELECT DISTINCT ON (form_id) form_id AS "formID", id, version, schema::text AS schema
     FROM forms WHERE project_id = $1 AND form_id = ANY($2::text[]) ORDER BY form_id, version DESC`,
    [projectID, formIDs],
  );
  return new Map(found.map(({ formID, ...version }) => [formID, version]));
}
