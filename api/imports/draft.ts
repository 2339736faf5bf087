/** Makes the states of an imported instance and of all that it calls, and collects every reason against them. */
import type { ChildBinding } from '@perdure/engine/contract/facts.js';
import { MAX_IMPORTED_TOKENS, type ImportIssue } from '@perdure/engine/contract/imported.js';
import { MAX_DEPTH } from '@perdure/engine/elements/call-activity.js';
import { importInstance, type ImportContext, type ImportedState } from '@perdure/engine/import/import-instance.js';
import type { Model } from '@perdure/engine/model/model.js';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import { ROOT, type State } from '@perdure/engine/state/state.js';
import { encodeInstance } from '../../store/imports/instance.js';
import { keyOfVersion } from './outline.js';
import { MAX_COMMENTS_OF_TASK, MAX_INSTANCES, type GivenInstance } from './schemas.js';

/** A version of a process that an instance continues with. */
export interface Version {
  definitionID: string;
  model: Model;
}

export type DraftContext = Pick<ImportContext, 'workflowID' | 'now' | 'flags'>;

interface DraftedImport {
  issues: ImportIssue[];
  warnings: string[];
  /** Encoded for the store, callers first; incomplete if there are issues. */
  instances: Uint8Array<ArrayBuffer>[];
}

/** Of all encoded instances together. Mappings can make them larger than what was given. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ISSUES = 5_000;

interface Drafting {
  /** By the key that an instance asks for it. */
  versions: ReadonlyMap<string, Version>;
  issues: ImportIssue[];
  warnings: Set<string>;
  instances: Uint8Array<ArrayBuffer>[];
  bytes: number;
}

export function draftImport(
  given: GivenInstance,
  versions: ReadonlyMap<string, Version>,
  context: DraftContext,
): DraftedImport {
  const drafting: Drafting = { versions, issues: [], warnings: new Set(), instances: [], bytes: 0 };
  checkTree(drafting, given);
  const version = versions.get(keyOfVersion(given))!;
  if (drafting.issues.length === 0) draft(drafting, given, version, { ...context, depth: 0 }, '');
  const { issues, warnings, instances } = drafting;
  return { issues: listed(issues), warnings: [...warnings], instances };
}

function listed(issues: ImportIssue[]): ImportIssue[] {
  const more = issues.length - MAX_ISSUES;
  return more <= 0 ? issues : [...issues.slice(0, MAX_ISSUES), { path: '', message: `and ${more} more` }];
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

function draft(
  drafting: Drafting,
  given: GivenInstance,
  { definitionID, model }: Version,
  context: Context,
  path: string,
): void {
  if (drafting.bytes > MAX_BYTES) return;
  const versions = calledVersions(drafting, given, path);
  const processes = new Map([...versions].map(([index, called]) => [index, called.model.graph.processID]));
  const made = importInstance(model, given, { ...context, called: processes });
  for (const issue of made.issues) drafting.issues.push({ ...issue, path: `${path}${issue.path}` });
  for (const warning of made.warnings) drafting.warnings.add(warning);
  if (made.imported) {
    checkComments(drafting, given.comments ?? [], made.imported.userTasks, path);
    keep(drafting, given, { definitionID, model }, made.imported, context.workflowID, path);
  }
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
    if (version) draft(drafting, instance, version, calledContext(context, call), `${at}.instance.`);
  }
}

/** Instances after an issue are not written, so they are not encoded. */
function keep(
  drafting: Drafting,
  { source, createdAt, startedBy, tokens, comments = [] }: GivenInstance,
  { definitionID, model }: Version,
  { fact, state, userTasks }: ImportedState,
  workflowID: string,
  path: string,
): void {
  if (drafting.issues.length > 0) return;
  const encoded = encodeInstance({
    workflowID,
    definitionID,
    source,
    createdAt,
    startedBy,
    parent: state.parent,
    depth: state.depth,
    variables: state.elements[ROOT]!.variables ?? {},
    fact,
    activeNodes: activeNodes(model, state),
    incidentScopes: scopesOfIncidents(state),
    taskTimes: [...userTasks].flatMap(([index, number]) => {
      const since = tokens[index]?.task?.createdAt;
      return since === undefined ? [] : [{ number, createdAt: since }];
    }),
    comments: comments.flatMap(({ tokenIndex, text, author, createdAt: at }) => {
      const number = userTasks.get(tokenIndex);
      return number === undefined ? [] : [{ number, text, author, createdAt: at }];
    }),
  });
  drafting.bytes += encoded.byteLength;
  if (drafting.bytes > MAX_BYTES)
    drafting.issues.push({
      path: `${path}tokens`,
      message: `the states of all instances take more than ${MAX_BYTES} bytes together`,
    });
  else drafting.instances.push(encoded);
}

function scopesOfIncidents({ incidents, elements }: State): Record<number, number> | undefined {
  const open = Object.values(incidents);
  if (open.length === 0) return undefined;
  return Object.fromEntries(open.map(({ id, element }) => [id, element === ROOT ? ROOT : elements[element]!.scope]));
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
function calledVersions(drafting: Drafting, given: GivenInstance, path: string): Map<number, Version> {
  const versions = new Map<number, Version>();
  for (const [index, { tokenIndex, instance }] of (given.called ?? []).entries()) {
    const at = `${path}called[${index}]`;
    if (versions.has(tokenIndex))
      drafting.issues.push({ path: `${at}.tokenIndex`, tokenIndex, message: 'this token calls another instance too' });
    const version = drafting.versions.get(keyOfVersion(instance));
    if (version) versions.set(tokenIndex, version);
    else drafting.issues.push({ path: `${at}.instance`, message: 'this project has no such version of a process' });
  }
  return versions;
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
    else if (count === MAX_COMMENTS_OF_TASK + 1)
      issues.push({ ...at, message: `a user task can have ${MAX_COMMENTS_OF_TASK} comments` });
  }
}
