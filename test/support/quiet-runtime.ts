import { DefaultLogger, Runtime } from '@temporalio/worker';

let isInstalled = false;

/**
 * Installs the runtime of the Temporal SDK for all test files and hosts of the process, which can only have one. Tests
 * that break something on purpose would fill the output with the SDK's comments.
 */
export function quietRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
  });
  // The runtime ends with its last connection; the SDK creates the next one with the same options.
  Runtime.install = () => Runtime.instance();
}
