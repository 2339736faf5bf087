/** A deployed process with settings. */
import { randomUUID } from 'node:crypto';
import { DEFAULT_SETTINGS, replaceSettings, type GivenSettings } from '../../../store/processes/settings.js';
import { deploy, projectID, type TestStore } from './store.js';

export async function deployControlled(
  store: TestStore,
  settings: Partial<GivenSettings>,
): Promise<{ definitionID: string; processID: string }> {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID);
  await set(store, processID, settings);
  return { definitionID, processID };
}

export async function set(store: TestStore, processID: string, settings: Partial<GivenSettings>): Promise<void> {
  const given = { ...DEFAULT_SETTINGS, concurrencyKeyTree: null, ...settings };
  const replaced = await replaceSettings(store.database, { projectID, processID, settings: given });
  if (replaced.kind === 'refused') throw new Error(replaced.message);
}
