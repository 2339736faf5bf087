/** Scenarios from files. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { openBundle } from '../scenario/bundle.js';
import { describeFailure } from '../scenario/describe.js';
import { runScenario } from '../scenario/run.js';
import { readScenario } from '../scenario/scenario.js';

/** A scenario did not pass. */
export class ScenarioFailed extends Error {
  override name = 'ScenarioFailed';
}

/**
 * Runs a scenario in memory and in virtual time.
 * @param file a path, relative to the working directory, or a URL
 * @throws ScenarioFailed with every difference
 * @throws InvalidScenario, ModelRefused
 */
export async function testScenario(file: string | URL): Promise<void> {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  const scenario = readScenario(read(path), path);
  const folder = dirname(path);
  const names = scenario.files ?? modelsIn(folder);
  const bundle = await openBundle(names.map((name) => ({ name, text: read(join(folder, name)) })));
  const { failure } = runScenario(scenario, bundle);
  if (failure) throw new ScenarioFailed(`${basename(path)}: ${describeFailure(failure).join('\n')}\n${failure.state}`);
}

/** Names of the models of a folder, not below it. */
export function modelsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.(bpmn|dmn|form)$/i.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

function read(path: string): string {
  return decodeFile(readFileSync(path), path);
}
