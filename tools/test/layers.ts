/**
 * The layers of the tests, from fast to slow. A test file belongs to the layer that names it or the innermost folder
 * around it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/repository.js';

export type Lane = 'computing' | 'waiting';

export interface Layer {
  readonly name: 'unit' | 'random' | 'store' | 'temporal' | 'console' | 'system';
  /** The servers that its tests use. */
  readonly servers: string;
  /** Layers that mostly compute run at the same time as layers that mostly wait for servers. */
  readonly lane: Lane;
  /** How long the layer may take in `npm test` on two cores, where the other lane takes part of their time. */
  readonly budgetSeconds: number;
  /** Files and folders; a folder ends with `/`. */
  readonly paths: readonly string[];
}

/** How long all lanes together may take in `npm test` on two cores. Whatever takes it further becomes a proof. */
export const TOTAL_BUDGET_SECONDS = 720;

export const layers: readonly Layer[] = [
  {
    name: 'unit',
    servers: 'none',
    lane: 'computing',
    budgetSeconds: 120,
    paths: [
      'test/activities/',
      'test/api/',
      'test/api/operations/search/cursor.test.ts',
      'test/background/',
      'test/backtest/',
      'test/bench/',
      'test/bpmn/',
      'test/chaos/',
      'test/cli/',
      'test/client/',
      'test/connectors/agent-steps.test.ts',
      'test/connectors/constants.test.ts',
      'test/connectors/nexus/repeats.test.ts',
      'test/connectors/placeholders.test.ts',
      'test/connectors/shares.test.ts',
      'test/connectors/temporal-failures.test.ts',
      'test/conformance/coverage.test.ts',
      'test/console/conversation-as-of.test.ts',
      'test/console/correlation.test.ts',
      'test/console/due-group.test.ts',
      'test/console/event-reader.test.ts',
      'test/console/format-time.test.ts',
      'test/console/instance-ids.test.ts',
      'test/console/kept-content.test.ts',
      'test/console/lost-content.test.ts',
      'test/console/model-checker.test.ts',
      'test/console/model-round-trip.test.ts',
      'test/console/next-task.test.ts',
      'test/console/open-files.test.ts',
      'test/console/player.test.ts',
      'test/console/price-lines.test.ts',
      'test/console/shared-events.test.ts',
      'test/console/read-file.test.ts',
      'test/console/recent-places.test.ts',
      'test/console/run-steps.test.ts',
      'test/console/scenario-runner.test.ts',
      'test/console/waterfall-layout.test.ts',
      'test/convert/',
      'test/deploy/chart-rendered.test.ts',
      'test/deploy/chart.test.ts',
      'test/dev/',
      'test/dmn/',
      'test/docs/',
      'test/engine/',
      'test/feel/',
      'test/forms/',
      'test/host/',
      'test/hot-instances/',
      'test/lib/',
      'test/outbound/',
      'test/store/builder.test.ts',
      'test/store/chore-statements.test.ts',
      'test/store/choose-jobs.test.ts',
      'test/store/poll-demand.test.ts',
      'test/store/sketch.test.ts',
      'test/telemetry/',
      'test/temporal/ui-details.test.ts',
      'test/testkit/',
      'test/worker/fairness-key.test.ts',
      'test/worker/sdk-internals.test.ts',
      'test/worker/workflow-sandbox.test.ts',
      'test/xml/',
    ],
  },
  {
    // Thousands of generated and hostile models and expressions: only CPU, but too much of it for every edit.
    name: 'random',
    servers: 'none',
    lane: 'computing',
    budgetSeconds: 150,
    paths: [
      'test/api/http/worst-bodies.test.ts',
      'test/backtest/itself.test.ts',
      'test/upgrade/',
      'test/bpmn/bounded-work.test.ts',
      'test/bpmn/mutations.test.ts',
      'test/convert/properties.test.ts',
      'test/dmn/hostile.test.ts',
      'test/engine/hostile-models.test.ts',
      'test/engine/open-waits.test.ts',
      'test/engine/random/',
      'test/engine/step-budget.test.ts',
      'test/feel/charges.test.ts',
      'test/feel/hostile.test.ts',
      'test/feel/random.test.ts',
    ],
  },
  {
    name: 'store',
    servers: 'Postgres',
    lane: 'computing',
    budgetSeconds: 180,
    paths: [
      'test/api/access/token-claims.test.ts',
      'test/api/http/connection-turns.test.ts',
      'test/api/search/batch.test.ts',
      'test/api/search/prefilter.test.ts',
      'test/connectors/temporal-watch.test.ts',
      'test/host/postgres.test.ts',
      'test/host/poolers.test.ts',
      'test/host/recompiler.test.ts',
      'test/store/',
      'test/worker/',
    ],
  },
  {
    name: 'temporal',
    servers: 'Postgres, Temporal, the issuer',
    lane: 'waiting',
    budgetSeconds: 300,
    paths: [
      'test/access/',
      'test/api/command-states.test.ts',
      'test/api/operations/',
      'test/bench/raw-temporal.test.ts',
      'test/chaos/cancel-trace.test.ts',
      'test/client/public/',
      'test/conformance/',
      'test/connectors/',
      'test/host/database-roles.test.ts',
      'test/host/metrics.test.ts',
      'test/host/encryption/encrypted-host.test.ts',
      'test/replay/',
      'test/telemetry/configuration.test.ts',
      'test/telemetry/publications.test.ts',
      'test/telemetry/traces.test.ts',
      'test/temporal/',
    ],
  },
  {
    name: 'console',
    servers: 'all of them, and a browser',
    lane: 'waiting',
    budgetSeconds: 180,
    paths: ['test/console/'],
  },
  {
    name: 'system',
    servers: 'all of them, as separate processes',
    lane: 'waiting',
    budgetSeconds: 240,
    paths: [
      'test/cli/backtests.test.ts',
      'test/cli/batches.test.ts',
      'test/cli/bundles/deploy.test.ts',
      'test/cli/camunda7/move.test.ts',
      'test/cli/camunda7/operaton.test.ts',
      'test/cli/commands.test.ts',
      'test/cli/integrations.test.ts',
      'test/cli/messages.test.ts',
      'test/cli/operators.test.ts',
      'test/cli/scenarios-on-host.test.ts',
      'test/client/job-worker.test.ts',
      'test/deploy/',
      'test/dev/dev-from-packages.test.ts',
      'test/dev/explain-token.test.ts',
      'test/dev/issuer/',
      'test/dev/stack.test.ts',
      'test/dev/start.test.ts',
      'test/examples/',
      'test/faults/',
      'test/fleet/',
      'test/host/admin/',
      'test/packages.test.ts',
    ],
  },
];

/** @throws Error if no layer names the file */
export function layerOf(file: string): Layer {
  const [innermost] = layers
    .flatMap((layer) => layer.paths.filter((path) => isIn(file, path)).map((path) => ({ layer, path })))
    .sort((a, b) => b.path.length - a.path.length);
  if (innermost === undefined)
    throw new Error(`${file} belongs to no layer of tests. Add its folder to tools/test/layers.ts.`);
  return innermost.layer;
}

/** Test files relative to the repository. */
export function testFiles(): string[] {
  return readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .sort();
}

function isIn(file: string, path: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path;
}
