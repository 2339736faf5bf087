/**
 * The order of files in a run of vitest: those that take longest first, so that no worker begins one when the others have
 * ended. Vitest remembers times on a machine, but a new checkout has none.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { repositoryRoot } from '../../dev/repository.js';

/** From the longest to the shortest in each layer. Others follow in vitest's order, which is by size. */
export const longestFiles: readonly string[] = [
  // temporal
  'test/temporal/hot-deaths.test.ts',
  'test/temporal/host-process.test.ts',
  'test/connectors/killed.test.ts',
  'test/temporal/stored-values.test.ts',
  'test/conformance/conformance.test.ts',
  'test/host/encryption/encrypted-host.test.ts',
  'test/temporal/unstorable.test.ts',
  'test/temporal/pause.test.ts',
  'test/host/metrics.test.ts',
  'test/temporal/large-values.test.ts',
  'test/connectors/event-deliveries.test.ts',
  'test/temporal/wild-models.test.ts',
  'test/api/command-states.test.ts',
  'test/temporal/wedge.test.ts',
  'test/temporal/migrate-many.test.ts',
  'test/temporal/half-death.test.ts',
  'test/temporal/random-models.test.ts',
  'test/api/operations/redact.test.ts',
  'test/temporal/rotation-limit.test.ts',
  'test/replay/record.test.ts',
  'test/api/operations/event-subscriptions.test.ts',
  'test/api/operations/tested-drafts.test.ts',
  'test/access/foreign-things.test.ts',
  'test/api/operations/process-settings.test.ts',
  'test/api/operations/handed-over-results.test.ts',
  // console
  'test/console/modeler.test.ts',
  'test/console/edit-decisions.test.ts',
  'test/console/process-statistics.test.ts',
  'test/console/instance.test.ts',
  'test/console/task.test.ts',
  'test/console/busy-project.test.ts',
  'test/console/example.test.ts',
  'test/console/instances.test.ts',
  'test/console/sign-in.test.ts',
  'test/console/play.test.ts',
  'test/console/dashboard.test.ts',
  'test/console/processes.test.ts',
  'test/console/migrate-instances.test.ts',
  'test/console/hostile-text.test.ts',
  'test/console/large-model.test.ts',
  'test/console/modeler-scenarios.test.ts',
  'test/console/modify.test.ts',
  'test/console/palette.test.ts',
  'test/console/deploy.test.ts',
  'test/console/modeler-folder.test.ts',
  'test/console/backtests.test.ts',
  'test/console/inbox.test.ts',
  'test/console/event-subscriptions.test.ts',
  'test/console/hostile-forms.test.ts',
  'test/console/deployments.test.ts',
  'test/console/live-lists.test.ts',
  'test/console/migrate.test.ts',
  // system
  'test/faults/crash.test.ts',
  'test/dev/start.test.ts',
  'test/fleet/older-restore.test.ts',
  'test/fleet/rolling-restart.test.ts',
  'test/fleet/worker-deployments.test.ts',
  'test/packages.test.ts',
  'test/deploy/image-tree.test.ts',
  'test/faults/temporal-payments.test.ts',
  'test/fleet/restore-to-last-commit.test.ts',
  'test/client/job-worker.test.ts',
  'test/cli/scenarios-on-host.test.ts',
  'test/faults/many-results.test.ts',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    return inOrder(sorted, ({ moduleId }) => relative(repositoryRoot, moduleId).replaceAll('\\', '/'));
  }
}

/** Does not mix projects: vitest runs one after the other, because they do not share processes. */
export function inOrder<T extends { project: unknown }>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const projects = [...new Set(files.map(({ project }) => project))];
  const place = (file: T) => {
    const index = longestFiles.indexOf(pathOf(file));
    return index < 0 ? longestFiles.length : index;
  };
  return projects.flatMap((project) =>
    files.filter((file) => file.project === project).sort((a, b) => place(a) - place(b)),
  );
}
