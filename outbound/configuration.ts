/** Variables for requests of the host to other systems. */
import { z } from 'zod';
import { list, text } from '@perdure/configuration/kinds.js';
import { variable, type ValuesOf } from '@perdure/configuration/variable.js';
import { parseEgressEntry, type EgressEntry } from './egress/entry.js';
import { secretsAsJson, type GivenSecrets } from './secrets/in-environment.js';

export interface OutboundConfiguration {
  /** Hosts that HTTP tasks and event subscriptions may address. An empty list permits none. */
  readonly egress: readonly EgressEntry[];
  readonly secretsFolder: string | undefined;
  readonly secrets: GivenSecrets;
}

const entry = z.string().transform((given, context) => {
  const parsed = parseEgressEntry(given);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'is not a host' });
  return z.NEVER;
});

export const outboundSection = {
  title: 'Outgoing requests',
  variables: {
    EGRESS_ALLOW: variable({
      kind: list('a comma-separated list of hosts such as api.example.com, *.example.org:8443, http://10.0.0.7', entry),
      description:
        'The only hosts that [HTTP tasks](how-to/call-a-service-over-http.md#allow-hosts) and event subscriptions can address.',
    }),
    SECRETS_PATH: variable({
      kind: text('the path of a folder'),
      description:
        'Folder with a subfolder of [secrets](how-to/call-a-service-over-http.md#secrets) per project. Files are read on every use.',
    }),
    SECRETS: variable({
      kind: secretsAsJson,
      isSecret: true,
      description: 'The same secrets without files. A file with the same name wins.',
    }),
  },
};

type Values = ValuesOf<(typeof outboundSection)['variables']>;

export function toOutboundConfiguration(values: Values): OutboundConfiguration {
  return {
    egress: values.EGRESS_ALLOW ?? [],
    secretsFolder: values.SECRETS_PATH,
    secrets: values.SECRETS ?? {},
  };
}
