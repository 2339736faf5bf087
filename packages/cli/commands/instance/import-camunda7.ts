/** `perdure import camunda7`: moves running instances from Camunda 7 and engines with the same REST API. */
import { join } from 'node:path';
import { printable } from '@perdure/lib/trust/printable.js';
import { openLog, type MoveLog } from '../../camunda7/log.js';
import type { MoveMap } from '../../camunda7/mapper.js';
import { moveOne, rehearse, rootsOf, type MoveContext, type Moved } from '../../camunda7/move.js';
import { Fits, Inventory } from '../../camunda7/plan.js';
import { sourceRest } from '../../camunda7/rest.js';
import { rollBackOne, toRollBack, type RolledBack } from '../../camunda7/rollback.js';
import { SourceModels } from '../../camunda7/snapshot.js';
import { targetOf } from '../../camunda7/target.js';
import { exitCodes, type Invocation, type Option } from '../../command.js';
import { counted, show, showJson, table } from '../../terminal.js';
import { readObjectFile, wholeNumber } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';

export const moveOptions = {
  url: { type: 'string', value: 'URL', help: 'REST API of the engine, with user and password if it needs them' },
  process: { type: 'string', value: 'KEY', help: 'key of the process whose instances move' },
  map: { type: 'string', value: 'FILE', help: 'JSON with other ids of nodes, and values of variables' },
  batch: { type: 'string', value: 'NUMBER', help: 'instances between two lines of progress (default 100)' },
  log: { type: 'string', value: 'FILE', help: 'log of the move (default: perdure-import-KEY.jsonl)' },
  rollback: { type: 'boolean', help: 'take back what has not moved since, and resume its source' },
} as const satisfies { [name: string]: Option };

const AT_ONCE = 5;

/** @throws WrongUse for options that only a move has */
export function refuseMoveOptions(invocation: Invocation): void {
  const used = Object.keys(moveOptions).find((name) => invocation.option(name) !== undefined);
  if (used !== undefined)
    throw new WrongUse(`--${used} is for perdure import camunda7. Files take only --dry-run and --reason.`);
}

export async function moveFromCamunda7(invocation: Invocation): Promise<number> {
  if (invocation.operands.length > 1)
    throw new WrongUse('perdure import camunda7 takes no further operands. Import files in another call.');
  const url = engineOf(invocation);
  const key = required(invocation, 'process');
  const batch = wholeNumber(invocation, 'batch', 1, 10_000) ?? 100;
  const map = await readMap(invocation.option('map'));
  const isDryRun = invocation.flag('dry-run');
  const isRollback = invocation.flag('rollback');
  if (isDryRun && isRollback) throw new WrongUse('Set --dry-run or --rollback, not both.');
  // A move finishes what it has begun, so that Ctrl-C leaves nothing suspended that is not imported.
  const ends = isDryRun ? invocation.signal : new AbortController().signal;
  const rest = sourceRest(url.href, ends);
  const target = targetOf(await invocation.host(ends), invocation.option('reason'));
  const context = { rest, target, map, models: new SourceModels(rest), fits: new Fits(target) };
  if (isDryRun) return showPlan(invocation, context, key);
  const path =
    invocation.option('log') ?? join(invocation.folder, `perdure-import-${key.replace(/[^\w.-]/g, '_')}.jsonl`);
  // Without the account, which the log need not know.
  const log = openLog(path, { url: `${url.origin}${url.pathname}`, key });
  return isRollback ? rollBack(invocation, context, log) : move(invocation, context, log, { key, batch });
}

function engineOf(invocation: Invocation): URL {
  const text = required(invocation, 'url');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new WrongUse(
      `--url must be the REST API of the engine, such as http://localhost:8080/engine-rest, but is ${withoutAccount(text)}`,
    );
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw new WrongUse('The user or the password in --url has a % that encodes nothing. Write it as %25.');
  return url;
}

function withoutAccount(url: string): string {
  return url.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function required(invocation: Invocation, name: 'url' | 'process'): string {
  const value = invocation.option(name);
  if (value === undefined || value === '')
    throw new WrongUse(`perdure import camunda7 needs --${name} ${moveOptions[name].value}.`);
  return value;
}

/** @throws WrongUse unless the file has only `nodes` and `variables` in the form of the help */
async function readMap(path: string | undefined): Promise<MoveMap> {
  if (path === undefined) return {};
  const { nodes = {}, variables = {}, ...others } = await readObjectFile(path);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new WrongUse(`${path} has ${JSON.stringify(unknown)}, but takes nodes and variables`);
  if (!isObject(nodes) || Object.values(nodes).some((id) => typeof id !== 'string'))
    throw new WrongUse(`${path}: nodes must be an object of new ids by old ids`);
  if (!isObject(variables) || !Object.values(variables).every(isRule))
    throw new WrongUse(`${path}: variables must be an object of {"skip": true} or {"as": VALUE} by names`);
  return { nodes, variables } as MoveMap;
}

function isRule(rule: unknown): boolean {
  return isObject(rule) && Object.keys(rule).length === 1 && (rule['skip'] === true || 'as' in rule);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function showPlan(invocation: Invocation, context: MoveContext, key: string): Promise<number> {
  const { terminal, signal } = invocation;
  const inventory = new Inventory();
  await inGroups(await rootsOf(context, key), signal, (id) => rehearse(context, inventory, id));
  const { rows, notes, stuck, present } = inventory;
  show(terminal, { process: key, states: rows, notes, stuck, present }, () => [
    ...table(
      ['WAITS AT', 'INSTANCES', 'VERSION'],
      rows.map(({ state, count, version }) => [state, count, version ?? 'none']),
    ),
    ...notes.map(({ note, count }) => printable(`${note} (${counted(count, 'instance')})`)),
    ...stuck.flatMap(({ id, reasons }) => describeRefusal(id, 'cannot be moved', reasons)),
    ...(present > 0 ? [`The host has ${counted(present, 'instance')} already`] : []),
    rows.length + present === 0 ? `The engine has no running instances of ${key}` : summaryOf(rows, stuck.length),
  ]);
  return stuck.length > 0 ? exitCodes.refused : exitCodes.done;
}

function summaryOf(rows: readonly { count: number }[], stuck: number): string {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return `${counted(total, 'instance')}: ${total - stuck} can be moved, ${stuck} cannot`;
}

async function move(
  { terminal, signal }: Invocation,
  context: MoveContext,
  log: MoveLog,
  { key, batch }: { key: string; batch: number },
): Promise<number> {
  const roots = await rootsOf(context, key);
  // Those that the engine has lost or ended since are only in the log.
  const ids = [...new Set([...roots, ...log.all().keys()])];
  const counts: Record<Moved['kind'], number> = {
    imported: 0,
    present: 0,
    importedElsewhere: 0,
    takenBack: 0,
    ended: 0,
    refused: 0,
  };
  for (let first = 0; first < ids.length && !signal.aborted; first += batch) {
    await inGroups(ids.slice(first, first + batch), signal, async (id) => {
      const moved = await moveOne(context, log, id);
      counts[moved.kind] += 1;
      if (terminal.json) showJson(terminal, moved);
      else for (const line of describe(moved)) terminal.write(line);
    });
    if (!terminal.json)
      terminal.write(`${Math.min(ids.length, first + batch)} of ${counted(ids.length, 'instance')} done`);
  }
  const { imported, present, refused, takenBack, importedElsewhere, ended } = counts;
  const missing = signal.aborted ? 0 : await missingHere(context, log);
  const later = signal.aborted ? 0 : await laterThan(context, key, ids);
  const summary = { ...counts, missing, later, log: log.path };
  show(terminal, summary, () => [
    `${imported} imported, ${present} before, ${refused} refused, ${takenBack} taken back, ${ended} ended; log: ${log.path}`,
    ...(importedElsewhere > 0 ? [`${counted(importedElsewhere, 'instance')} imported, but not by this log`] : []),
    ...(missing > 0 ? [`The host has ${counted(missing, 'instance')} fewer than the log: some were erased`] : []),
    ...(later > 0 ? [`The engine has ${counted(later, 'instance')} more: run the command again`] : []),
    ...(signal.aborted ? ['Stopped: run the command again to continue'] : []),
  ]);
  const isIncomplete = refused + takenBack + importedElsewhere + missing + later > 0 || signal.aborted;
  return isIncomplete ? exitCodes.refused : exitCodes.done;
}

/** Instances that began during the move, or that the list left out because others ended while it was read. */
async function laterThan(context: MoveContext, key: string, ids: readonly string[]): Promise<number> {
  const known = new Set(ids);
  return (await rootsOf(context, key)).filter((id) => !known.has(id)).length;
}

/** How many instances of the log the host does not have. */
async function missingHere({ target }: MoveContext, log: MoveLog): Promise<number> {
  const expected = new Map<string, number>();
  for (const { imported } of log.all().values())
    if (imported) expected.set(imported.processID, (expected.get(imported.processID) ?? 0) + 1);
  let missing = 0;
  for (const [processID, count] of expected) missing += Math.max(0, count - ((await target.count(processID)) ?? count));
  return missing;
}

async function rollBack({ terminal, signal }: Invocation, context: MoveContext, log: MoveLog): Promise<number> {
  const ids = toRollBack(log);
  let kept = 0;
  await inGroups(ids, signal, async (id) => {
    const result = await rollBackOne(context.rest, context.target, log, id);
    if (result.kind === 'kept') kept += 1;
    if (terminal.json) showJson(terminal, result);
    else for (const line of describeRollback(result)) terminal.write(line);
  });
  show(terminal, { takenBack: ids.length - kept, kept, log: log.path }, () => [
    `${ids.length - kept} taken back, ${kept} left alone; log: ${log.path}`,
  ]);
  return kept > 0 || signal.aborted ? exitCodes.refused : exitCodes.done;
}

function describe(moved: Moved): string[] {
  const { id } = moved;
  switch (moved.kind) {
    case 'imported':
      return [`${id}  ${moved.workflowID}`, ...moved.notes.map((note) => `  ${note}`)].map(printable);
    case 'refused':
      return describeRefusal(id, 'refused', moved.reasons);
    case 'takenBack':
      return [printable(`${id}  was taken back: erase instance ${moved.workflowID} to import it again`)];
    case 'importedElsewhere':
      return [printable(`${id}  is ${moved.workflowID}, which this log has not imported: name the log of its move`)];
    case 'ended':
      return [printable(`${id}  has ended`)];
    case 'present':
      return [];
  }
}

function describeRefusal(id: string, word: string, reasons: readonly string[]): string[] {
  return [`${id}  ${word}`, ...reasons.map((reason) => `  ${reason}`)].map(printable);
}

function describeRollback({ id, workflowID, ...result }: RolledBack): string[] {
  if (result.kind === 'takenBack') return [printable(`${id}  taken back: ${workflowID} canceled`)];
  const since = result.facts.map((fact) => `  ${fact}`);
  return [`${id}  left alone: ${workflowID} is not as it was imported; its source stays suspended`, ...since].map(
    printable,
  );
}

async function inGroups(
  ids: readonly string[],
  signal: AbortSignal,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  for (let first = 0; first < ids.length && !signal.aborted; first += AT_ONCE)
    await Promise.all(ids.slice(first, first + AT_ONCE).map(work));
}
