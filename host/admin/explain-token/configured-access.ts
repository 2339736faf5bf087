import type { Environment } from '@perdure/configuration/variable.js';
import { readAccessConfiguration, type AccessConfiguration } from '../../../api/access/settings/configuration.js';
import { ConfigurationError } from '../../configuration/configuration-error.js';

/** @throws ConfigurationError naming every mistake of the `OIDC_...` variables */
export function readConfiguredAccess(environment: Environment): AccessConfiguration {
  const { configuration, problems } = readAccessConfiguration(environment);
  if (configuration === undefined) throw new ConfigurationError(problems);
  return configuration;
}
