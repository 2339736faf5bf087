/** Helm, built from source with Go into the user's cache: the proof of the chart renders it. */
import { buildProgram, type GoProgram } from '../go/build.js';

const program: GoProgram = {
  module: 'helm',
  requires: 'helm.sh/helm/v3',
  package: 'helm.sh/helm/v3/cmd/helm',
  name: 'helm',
  title: 'Building Helm from source with Go (once, a few minutes)',
};

/**
 * @returns the path of the command
 * @throws Failure when there is no Go, or the build fails; its message has the reason
 */
export async function findHelm(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  return environment['HELM'] || buildProgram(program, environment);
}
