/** Makes the states of an imported instance and of all that it calls, and collects every reason against them. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { ChildBinding } from '@perdure/engine/contract/facts.js';
import { MAX_IMPORTED_TOKENS, type ImportIssue } from '@perdure/engine/contract/imported.js';
import { MAX_DEPTH } from '@perdure/engine/elements/call-activity.js';
import { importInstance, type ImportContext } from '@perdure/engine/import/import-instance.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import type { InstanceToImport } from '../../../../store/imports/import.js';
import { versionToStart, type VersionToStart } from '../../../../store/instances/start.js';
import type { Queryable } from '../../../../store/sql/database.js';
import { graphOf } from './find-instance.js';
import { maxCommentsOfTask, type GivenInstance } from './import-schemas.js';

/** A version of a process that an instance continues with. */
interface Version {
  definitionID: string;
  model: Model;
}

export interface DraftedImport {
  issues: ImportIssue[];
  warnings: string[];
  /** Undefined if there are issues. */
  root: InstanceToImport | undefined;
}

/** Each takes several statements in one transaction. */
const MAX_INSTANCES = 1_000;

interface Drafting {
  database: Queryable;
  projectID: string;
  models: Map<string, Model>;
  issues: ImportIssue[];
  warnings: Set<string>;
}

/** @returns undefined if the project has no such version */
export async function draftImport(
  database: Queryable,
  projectID: string,
  given: GivenInstance,
  context: Pick<ImportContext, 'workflowID' | 'now' | 'flags'>,
): Promise<DraftedImport | undefined> {
  const drafting: Drafting = { database, projectID, models: new Map(), issues: [], warnings: new Set() };
  const version = await versionOf(drafting, given);
  if (!version) return undefined;
  checkTree(drafting, given);
  const root =
    drafting.issues.length > 0 ? undefined : await draft(drafting, given, version, { ...context, depth: 0 }, '');
  const { issues, warnings } = drafting;
  return { issues, warnings: [...warnings], root: issues.length > 0 ? undefined : root };
}

/** Its depth and its size, before anything is done with it. */
function checkTree({ issues }: Drafting, root: GivenInstance): void {
  let tokens = 0;
  let instances = 0;
  const sources = new Set<string>();
  for (const next = [{ instance: root, path: '', depth: 0 }]; next.length > 0;) {
    const { instance, path, depth } = next.pop()!;
    tokens += instance.tokens.length;
    instances += 1;
    const { system, id } = instance.source;
    if (sources.has(JSON.stringify([system, id])))
      issues.push({ path: `${path}source`, message: 'another instance of this import has the same source' });
    sources.add(JSON.stringify([system, id]));
    if (depth > MAX_DEPTH)
      issues.push({ path, message: `the calls are deeper than ${MAX_DEPTH}, which is the limit of the engine` });
    for (const [index, called] of depth > MAX_DEPTH ? [] : (instance.called ?? []).entries())
      next.push({ instance: called.instance, path: `${path}called[${index}].instance.`, depth: depth + 1 });
  }
  if (tokens > MAX_IMPORTED_TOKENS)
    issues.push({ path: 'tokens', message: `there are ${tokens} tokens in all, of at most ${MAX_IMPORTED_TOKENS}` });
  if (instances > MAX_INSTANCES)
    issues.push({ path: 'called', message: `there are ${instances} instances in all, of at most ${MAX_INSTANCES}` });
}

type Context = Omit<ImportContext, 'called'>;

async function draft(
  drafting: Drafting,
  given: GivenInstance,
  { definitionID, model }: Version,
  context: Context,
  path: string,
): Promise<InstanceToImport | undefined> {
  const versions = await calledVersions(drafting, given, path);
  const processes = new Map([...versions].map(([index, called]) => [index, called.model.graph.processID]));
  // Making a state takes milliseconds, and other requests continue in between.
  await nextRound();
  const made = importInstance(model, given, { ...context, called: processes });
  for (const issue of made.issues) drafting.issues.push({ ...issue, path: `${path}${issue.path}` });
  for (const warning of made.warnings) drafting.warnings.add(warning);
  const called: InstanceToImport[] = [];
  for (const [index, { tokenIndex, instance }] of (given.called ?? []).entries()) {
    const at = `${path}called[${index}]`;
    const version = versions.get(tokenIndex);
    const call = made.imported?.calls.get(tokenIndex);
    if (made.imported && !call)
      drafting.issues.push({
        path: `${at}.tokenIndex`,
        tokenIndex,
        message: 'this token does not wait at a call activity',
      });
    if (instance.businessId !== undefined && instance.businessId !== given.businessId)
      drafting.issues.push({
        path: `${at}.instance.businessId`,
        message: 'a called instance has the business id of its caller',
      });
    const child =
      version && (await draft(drafting, instance, version, calledContext(context, call), `${at}.instance.`));
    if (child) called.push(child);
  }
  if (!made.imported) return undefined;
  const { fact, state, userTasks } = made.imported;
  const comments = given.comments ?? [];
  checkComments(drafting, comments, userTasks, path);
  return {
    workflowID: context.workflowID,
    definitionID,
    processID: model.graph.processID,
    given,
    fact,
    state,
    activeNodes: activeNodes(model, state),
    userTasks,
    comments,
    called,
  };
}

interface Call {
  child: number;
  workflowID: string;
  binding: ChildBinding;
  caughtErrors: string[];
  caughtEscalations?: string[];
  depth: number;
}

/** Without a call, only its issues count. */
function calledContext({ workflowID, depth = 0, now, flags }: Context, call: Call | undefined): Context {
  return {
    now,
    ...(flags && { flags }),
    workflowID: call?.workflowID ?? `${workflowID}.called`,
    depth: call?.depth ?? depth + 1,
    ...(call && {
      parent: { workflowID, wait: call.child },
      caughtErrors: call.caughtErrors,
      ...(call.caughtEscalations && { caughtEscalations: call.caughtEscalations }),
    }),
  };
}

/** By the index of their token. */
async function calledVersions(drafting: Drafting, given: GivenInstance, path: string): Promise<Map<number, Version>> {
  const versions = new Map<number, Version>();
  for (const [index, { tokenIndex, instance }] of (given.called ?? []).entries()) {
    const at = `${path}called[${index}]`;
    if (versions.has(tokenIndex))
      drafting.issues.push({ path: `${at}.tokenIndex`, tokenIndex, message: 'this token calls another instance too' });
    const version = await versionOf(drafting, instance);
    if (version) versions.set(tokenIndex, version);
    else drafting.issues.push({ path: `${at}.instance`, message: 'this project has no such version of a process' });
  }
  return versions;
}

async function versionOf(
  { database, projectID, models }: Drafting,
  { definitionID, processId, version }: GivenInstance,
): Promise<Version | undefined> {
  const asked: VersionToStart = definitionID === undefined ? { processID: processId!, version } : { definitionID };
  const found = await versionToStart(database, projectID, asked);
  if (!found) return undefined;
  const { graphSha256 } = found;
  const model = models.get(graphSha256) ?? modelOf(await graphOf(database, graphSha256));
  models.set(graphSha256, model);
  return { definitionID: found.definitionID, model };
}

function checkComments(
  { issues }: Drafting,
  comments: readonly { tokenIndex: number }[],
  userTasks: ReadonlyMap<number, number>,
  path: string,
): void {
  const counts = new Map<number, number>();
  for (const [index, { tokenIndex }] of comments.entries()) {
    const at = { path: `${path}comments[${index}].tokenIndex`, tokenIndex };
    const count = (counts.get(tokenIndex) ?? 0) + 1;
    counts.set(tokenIndex, count);
    if (!userTasks.has(tokenIndex)) issues.push({ ...at, message: 'this token has no user task' });
    else if (count === maxCommentsOfTask + 1)
      issues.push({ ...at, message: `a user task can have ${maxCommentsOfTask} comments` });
  }
}
