/** Details of an instance in the Temporal UI. Names come from the diagram, so they are escaped for Markdown. */
import type { Model } from '@perdure/engine/model/model.js';
import { ROOT, type Incident, type State, type Wait, type WaitKind } from '@perdure/engine/state/state.js';

const MAX_ROWS = 20;
const MAX_NAME_LENGTH = 60;

const waitWords: { [K in WaitKind]: (wait: Extract<Wait, { kind: K }>) => string } = {
  job: () => 'a job worker',
  userTask: () => 'a person',
  timer: (wait) => `the time ${instantText(wait.due)}`,
  child: (wait) => `the instance \`${wait.workflowID}\``,
  subscription: (wait) => `the ${wait.type} ${harmless(wait.name)}`,
  condition: () => 'its condition',
  decision: () => 'a decision',
};

/** A Markdown table of the instance's waits and incidents. */
export function describeState(model: Model, state: State): string {
  const rows: string[] = [];
  for (const id in state.incidents) {
    if (rows.length < MAX_ROWS) rows.push(incidentRow(model, state.incidents[id]!));
  }
  let left = 0;
  for (const id in state.waits) {
    if (rows.length < MAX_ROWS) rows.push(waitRow(model, state.waits[id]!));
    else left += 1;
  }
  if (left > 0) rows.push(`| and ${left} more | |`);
  return [`**${processName(model)}**: ${state.status}`, '', '| where | waits for |', '|---|---|', ...rows].join('\n');
}

/** One line for the marker of a step commit: the wait state it leads to. */
export function summarizeState(model: Model, state: State): string {
  if (state.status !== 'RUNNING') return state.status;
  for (const id in state.incidents) return `incident at ${nodeName(model, state.incidents[id]!.node)}`;
  for (const id in state.waits) return `waits at ${nodeName(model, state.waits[id]!.node)}`;
  return 'moving';
}

/** Details for display must never stop an instance. */
export function inWords(describe: () => string): string {
  try {
    return describe();
  } catch {
    return 'no description';
  }
}

/** A date outside the calendar is shown as a number. */
function instantText(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? `${milliseconds} ms after 1970` : date.toISOString();
}

function incidentRow(model: Model, incident: Incident): string {
  const where = incident.element === ROOT ? processName(model) : nodeName(model, incident.node);
  return `| ${where} | incident ${incident.id}: ${incident.errorType} |`;
}

function waitRow(model: Model, wait: Wait): string {
  return `| ${nodeName(model, wait.node)} | ${(waitWords[wait.kind] as (wait: Wait) => string)(wait)} |`;
}

function processName(model: Model): string {
  return harmless(model.graph.processName ?? model.graph.processID);
}

function nodeName(model: Model, id: string): string {
  return harmless(model.node(id).name ?? id);
}

function harmless(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[^\p{L}\p{N} .,:;()/-]/gu, ' ');
}
