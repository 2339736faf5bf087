/**
 * Every environment variable of the host. Validation and `docs/configuration.md` come from this table.
 */
import { accessSection } from '../../api/access/settings/variables.js';
import { apiSection } from '../../api/configuration.js';
import { consoleSection } from '../../api/console/configuration.js';
import type { Section } from '@perdure/configuration/variable.js';
import { tracingSection } from '../../telemetry/configuration.js';
import { temporalTasksSection } from '../../connectors/temporal/configuration.js';
import { outboundSection } from '../../outbound/configuration.js';
import { postgresSection } from './postgres.js';
import { serverSection } from './server.js';
import { temporalSection } from './temporal.js';
import { workerSection } from './worker.js';

export const sections: readonly Section[] = [
  serverSection,
  postgresSection,
  temporalSection,
  accessSection,
  consoleSection,
  apiSection,
  workerSection,
  outboundSection,
  temporalTasksSection,
  tracingSection,
];
