/** Compares processes with an expectation. */
import { equalJson, type Json, type Variables } from '@perdure/engine/contract/json.js';
import { StepFailed, type Difference } from './failure.js';
import type { Expectation, StepContents } from './scenario.js';

const MAX_PRINTED = 300;

/** Processes as expectations see them. */
export interface Observation {
  /** The first instance of the process under test; absent if none has started. */
  readonly root?: ObservedInstance;
  /** Open incidents of all instances. */
  readonly incidents: readonly { readonly node: string; readonly errorType: string; readonly message: string }[];
}

export interface ObservedInstance {
  readonly status: string;
  readonly failureReason?: string;
  /** Ids of active nodes; none once the instance has ended. */
  readonly active: readonly string[];
  /** Ids of the nodes that have completed, in order. */
  readonly completed: readonly string[];
  readonly variables: Variables;
}

/** With the nodes that differ. */
interface Deviation extends Difference {
  nodes?: readonly string[];
}

/** @throws StepFailed with every difference */
export function expectAll({ root, incidents }: Observation, expectation: Expectation): void {
  if (!root) throw new StepFailed('no instance of the process has started');
  const deviations = [
    ...statusOf(root, expectation),
    ...activeOf(root, expectation),
    ...passedOf(root, expectation),
    ...variablesOf(root, expectation.variables ?? {}),
    ...incidentsOf(incidents, expectation.incidents),
  ];
  if (deviations.length > 0) throw failureOf('the process is not as expected', deviations);
}

/** @throws StepFailed unless these nodes are active, among others, and those are not */
export function expectAmong({ root }: Observation, { active = [], notActive = [] }: StepContents['expectAmong']): void {
  if (!root) throw new StepFailed('no instance of the process has started');
  const missing = active.filter((node) => !root.active.includes(node));
  const wrong = notActive.filter((node) => root.active.includes(node));
  if (missing.length + wrong.length === 0) return;
  const expected = [...missing, ...wrong.map((node) => `not ${node}`)];
  throw failureOf('the process is not as expected', [
    { what: 'active', expected: listed(expected), found: listed(root.active), nodes: [...missing, ...wrong] },
  ]);
}

/** @throws StepFailed if an incident is open that the expectations do not name */
export function expectNoOtherIncidents(
  { incidents: open }: Observation,
  incidents: Expectation['incidents'] = [],
): void {
  const deviations = incidentsOf(open, incidents);
  if (deviations.length > 0) throw failureOf('an incident is open that no step expects', deviations);
}

function failureOf(message: string, deviations: readonly Deviation[]): StepFailed {
  const differences = deviations.map(({ what, expected, found }) => ({ what, expected, found }));
  return new StepFailed(message, differences, [...new Set(deviations.flatMap(({ nodes = [] }) => nodes))]);
}

function statusOf({ status: found, failureReason }: ObservedInstance, { status }: Expectation): Difference[] {
  if (status === undefined || status === found) return [];
  const reason = failureReason === undefined ? '' : `: ${failureReason}`;
  return [{ what: 'status', expected: status, found: `${found}${reason}` }];
}

function activeOf({ active: found }: ObservedInstance, { active }: Expectation): Deviation[] {
  return active === undefined ? [] : unordered('active', active, found);
}

function passedOf({ completed }: ObservedInstance, { passed = [], notPassed = [] }: Expectation): Deviation[] {
  const deviations: Deviation[] = [];
  let from = 0;
  for (const [index, node] of passed.entries()) {
    const found = completed.indexOf(node, from);
    if (found >= 0) {
      from = found + 1;
      continue;
    }
    const after = index === 0 ? '' : ` after ${passed[index - 1]}`;
    deviations.push({ what: 'passed', expected: `${node}${after}`, found: listed(completed), nodes: [node] });
    break;
  }
  const reached = notPassed.filter((node) => completed.includes(node));
  if (reached.length > 0)
    deviations.push({
      what: 'notPassed',
      expected: `not ${listed(reached)}`,
      found: listed(completed),
      nodes: reached,
    });
  return deviations;
}

function variablesOf({ variables }: ObservedInstance, expected: Variables): Difference[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const found: Json | undefined = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return equalJson(found ?? null, value)
      ? []
      : [
          {
            what: `variables.${name}`,
            expected: printed(value),
            found: found === undefined ? 'absent' : printed(found),
          },
        ];
  });
}

function incidentsOf(open: Observation['incidents'], expected: Expectation['incidents']): Deviation[] {
  if (expected === undefined) return [];
  const left = [...open];
  const missing = expected.filter(({ node, type }) => {
    const at = left.findIndex((one) => one.node === node && (type === undefined || one.errorType === type));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (missing.length === 0 && left.length === 0) return [];
  return [
    {
      what: 'incidents',
      expected: expected.map(({ node, type }) => `${type ?? 'any'} at ${node}`).join(', ') || 'none',
      found: open.map(({ node, errorType, message }) => `${errorType} at ${node}: ${message}`).join(', ') || 'none',
      nodes: [...missing, ...left].map(({ node }) => node),
    },
  ];
}

function unordered(what: string, expected: readonly string[], found: readonly string[]): Deviation[] {
  const [one, other] = [expected, found].map((nodes) => [...new Set(nodes)].sort());
  if (equalJson(one!, other!)) return [];
  const nodes = [...one!.filter((node) => !found.includes(node)), ...other!.filter((node) => !expected.includes(node))];
  return [{ what, expected: listed(one!), found: listed(other!), nodes }];
}

function listed(nodes: readonly string[]): string {
  return shortened(nodes.join(', ') || 'none');
}

function printed(value: Json): string {
  return shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length <= MAX_PRINTED ? text : `${text.slice(0, MAX_PRINTED)}... (${text.length} characters)`;
}
