/**
 * The proofs: tests that `npm test` plays in short and a script of package.json at length. `npm run proofs` plays all of
 * them. A test reads its length from a variable, and plays its short form without one: at least one case of every kind.
 */
import { testFiles } from './layers.js';

export interface Proof {
  /** Of its script, `npm run <name>`. */
  readonly name: string;
  /** Files and folders; a folder ends with `/`. */
  readonly paths: readonly string[];
  /** By variable, the length that the script plays. */
  readonly lengths: Readonly<Record<string, string>>;
  /** Lengths that are smaller in `npm run proofs`, because all proofs have to end within an hour on two cores. */
  readonly together?: Readonly<Record<string, string>>;
  /** One file after the other, because they judge times and shares of use. */
  readonly workers?: 1;
}

export const proofs: readonly Proof[] = [
  {
    name: 'random',
    paths: [
      'test/bpmn/mutations.test.ts',
      'test/convert/properties.test.ts',
      'test/engine/random/',
      'test/feel/precedence.test.ts',
      'test/feel/random.test.ts',
      'test/feel/regex.test.ts',
      'test/forms/form-js.test.ts',
      'test/lib/storable-json.test.ts',
      'test/temporal/random-models.test.ts',
      'test/temporal/wild-models.test.ts',
      'test/xml/readable.test.ts',
    ],
    lengths: { RANDOM_SCALE: '40' },
    together: { RANDOM_SCALE: '16' },
  },
  {
    name: 'hostile',
    paths: ['test/api/http/worst-bodies.test.ts', 'test/engine/hostile-models.test.ts'],
    lengths: { HOSTILE_OPERATIONS: 'all', HOSTILE_SIZE: '3000' },
  },
  {
    name: 'message-races',
    paths: [
      'test/store/messages-races.test.ts',
      'test/store/publications.test.ts',
      'test/temporal/message-races.test.ts',
    ],
    lengths: { MESSAGE_RACES: '5000' },
    together: { MESSAGE_RACES: '2000' },
  },
  {
    name: 'statistics-proof',
    paths: ['test/store/statistics-histories.test.ts'],
    lengths: { STATISTICS_HISTORIES: '100000' },
    together: { STATISTICS_HISTORIES: '5000' },
  },
  {
    name: 'backtest-proof',
    paths: [
      'test/backtest/attacks.test.ts',
      'test/backtest/itself.test.ts',
      'test/backtest/planted-changes.test.ts',
      'test/store/backtests.test.ts',
    ],
    lengths: { BACKTEST_HISTORIES: '34000', BACKTEST_ORDERS: '5000', BACKTEST_FACTS: '100000' },
    together: { BACKTEST_HISTORIES: '1000', BACKTEST_ORDERS: '500', BACKTEST_FACTS: '30000' },
  },
  {
    name: 'agent-proof',
    paths: ['test/backtest/agent-runs.test.ts'],
    lengths: { AGENT_RUNS: '1000' },
  },
  {
    name: 'upgrade-proof',
    paths: ['test/upgrade/rerun.test.ts'],
    lengths: { UPGRADE_HISTORIES: '34000' },
    together: { UPGRADE_HISTORIES: '1000' },
  },
  {
    name: 'import-proof',
    paths: ['test/cli/camunda7/operaton.test.ts'],
    lengths: { IMPORT_INSTANCES: '1000' },
    together: { IMPORT_INSTANCES: '200' },
  },
  {
    name: 'camunda7-clients-proof',
    paths: ['test/api/operations/camunda7/oracle.test.ts', 'test/fleet/external-task-clients.test.ts'],
    lengths: { CAMUNDA7_CLIENTS: 'real' },
  },
  {
    name: 'import-twins',
    paths: ['test/engine/random/imports.test.ts'],
    lengths: { IMPORT_TWINS: '10000' },
    together: { IMPORT_TWINS: '2000' },
  },
  {
    name: 'providers',
    paths: ['test/access/members.test.ts', 'test/access/providers.test.ts'],
    lengths: { ACCESS_PROVIDERS: 'all' },
  },
  {
    name: 'faults',
    paths: [
      'test/connectors/agents-killed.test.ts',
      'test/connectors/event-deliveries.test.ts',
      'test/connectors/killed.test.ts',
      'test/faults/crash.test.ts',
      'test/temporal/driven-ad-hoc.test.ts',
      'test/temporal/hot-deaths.test.ts',
      'test/temporal/task-listeners.test.ts',
    ],
    lengths: { PERDURE_FAULT_INSTANCES: '200', PERDURE_FAULT_DEATHS: 'all', CONNECTOR_KILLS: '2' },
    together: { PERDURE_FAULT_INSTANCES: '50' },
  },
  {
    name: 'limits-proof',
    paths: ['test/faults/limited-jobs.test.ts', 'test/faults/queued-begins.test.ts'],
    lengths: { LIMITS_SECONDS: '600', LIMITS_PROCESSES: '10' },
    together: { LIMITS_SECONDS: '90', LIMITS_PROCESSES: '6' },
    workers: 1,
  },
  {
    name: 'rolling-restart',
    paths: ['test/fleet/rolling-restart.test.ts'],
    lengths: { PERDURE_FLEET_ROUNDS: '5', PERDURE_FLEET_ORDERS: '40' },
    together: { PERDURE_FLEET_ROUNDS: '2', PERDURE_FLEET_ORDERS: '20' },
  },
  {
    name: 'examples',
    paths: ['test/examples/temporal-payments.test.ts'],
    lengths: { EXAMPLE_LANGUAGES: 'all' },
  },
  {
    name: 'temporal-proof',
    paths: ['test/faults/temporal-payments.test.ts'],
    lengths: { TEMPORAL_ORDERS: '1000', TEMPORAL_SECONDS: '600', TEMPORAL_LANGUAGES: 'all' },
    together: { TEMPORAL_ORDERS: '150', TEMPORAL_SECONDS: '90' },
  },
  {
    name: 'dev-from-packages',
    paths: ['test/dev/dev-from-packages.test.ts'],
    lengths: { DEV_FROM_PACKAGES: 'start' },
  },
  {
    name: 'helm-proof',
    paths: ['test/deploy/chart-rendered.test.ts'],
    lengths: { HELM_PROOF: 'rendered' },
  },
  {
    name: 'label-proof',
    paths: ['test/console/diagram-labels.test.ts'],
    lengths: { LABEL_MODELS: 'peers' },
  },
  {
    name: 'large-model',
    paths: ['test/console/large-model.test.ts'],
    lengths: { LARGE_MODEL_NODES: '10000' },
  },
  {
    name: 'round-trip',
    paths: ['test/console/model-round-trip.test.ts'],
    lengths: { ROUND_TRIP_MODELS: 'peers' },
  },
  {
    name: 'wedge',
    paths: ['test/faults/many-results.test.ts'],
    lengths: { WEDGE_ROUNDS: '20', WEDGE_RESULTS: '2000,20000', WEDGE_HOSTS: '1,3', WEDGE_KILLS: '0,1' },
    together: { WEDGE_ROUNDS: '1', WEDGE_RESULTS: '2000' },
  },
];

/** @throws Error that lists the proofs, if the name is unknown */
export function proofOf(name: string): Proof {
  const found = proofs.find((proof) => proof.name === name);
  if (found === undefined)
    throw new Error(
      `There is no proof "${name}". tools/test/proofs.ts has ${proofs.map((proof) => proof.name).join(', ')}.`,
    );
  return found;
}

export function filesOf({ paths }: Proof): string[] {
  return testFiles().filter((file) =>
    paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
  );
}

/** The lengths to play. Variables of the environment win over those of the list. */
export function lengthsOf(
  { lengths, together }: Proof,
  { areAllPlayed, environment }: { areAllPlayed: boolean; environment: NodeJS.ProcessEnv },
): NodeJS.ProcessEnv {
  const chosen = { ...lengths, ...(areAllPlayed && together) };
  return Object.fromEntries(Object.entries(chosen).map(([name, length]) => [name, environment[name] || length]));
}
