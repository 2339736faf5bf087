/**
 * A host with all its roles in the process of the test, composed as `host/main.ts` does it. It starts in a fraction of
 * the time of a process, which loads everything first. A test that kills its host needs `startHostProcess`.
 */
import { pathToFileURL } from 'node:url';
import { compiledScript } from '../../../dev/repository.js';
import { quietRuntime } from '../quiet-runtime.js';
import { hostEnvironment } from './environment.js';

export interface Host {
  /** URL of the API; the console is at `/console/` there. */
  readonly api: string;
  /** With CAMUNDA7_PORT. */
  readonly camunda7: string | undefined;
  stop(): Promise<void>;
}

/**
 * @param environment with DATABASE_URL; variables in it replace those that the tests provide
 * @throws Error naming every mistake in the variables
 */
export async function startHost(environment: NodeJS.ProcessEnv): Promise<Host> {
  const { readConfig, runHost } = await loadHost();
  const stopping = new AbortController();
  const host = await runHost(
    {
      config: readConfig({ ...(await hostEnvironment()), ...environment }),
      workflowBundle: compiledScript('workflow-bundle.js'),
      runnerBundle: compiledScript('runner-bundle.js'),
      consoleFolder: compiledScript('console'),
    },
    stopping.signal,
  );
  return {
    api: host.api!,
    camunda7: host.camunda7,
    async stop() {
      stopping.abort();
      await host.stop();
    },
  };
}

type HostModules = typeof import('../../../host/run.js') & typeof import('../../../host/configuration/config.js');

/** The compiled host, because its threads cannot run from sources. */
async function loadHost(): Promise<HostModules> {
  quietRuntime();
  const [run, config] = await Promise.all(
    ['host/run.js', 'host/configuration/config.js'].map(
      (script) => import(/* @vite-ignore */ pathToFileURL(compiledScript(script)).href),
    ),
  );
  return { ...run, ...config };
}
