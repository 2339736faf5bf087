/** Input of a host process: its configuration and the files of its build. */
import type { Config } from './configuration/config.js';

export interface Settings {
  config: Config;
  /** File with the code that runs in Temporal's sandbox. */
  workflowBundle: string;
  /** File with the workflows that run tasks on Temporal. */
  runnerBundle: string;
  /** Output folder of the console build. */
  consoleFolder: string;
}
