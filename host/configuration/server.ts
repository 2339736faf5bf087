/** Variables of the process itself: its roles, addresses, log, and shutdown. */
import { z } from 'zod';
import { duration, nonEmptyList, oneOf, port, text } from '@perdure/configuration/kinds.js';
import { variable } from '@perdure/configuration/variable.js';

const allRoles = ['api', 'worker', 'connectors'] as const;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

export const serverSection = {
  title: 'Host',
  variables: {
    PERDURE_ROLES: variable({
      kind: nonEmptyList('a comma-separated list of api, worker, connectors', z.enum(allRoles)),
      default: 'api,worker',
      description:
        'Roles of this process: `api` serves REST and the console, `worker` runs process instances, ' +
        '`connectors` performs [HTTP tasks](how-to/call-a-service-over-http.md) and [tasks on ' +
        'Temporal](how-to/run-a-task-on-temporal.md), asks the models of [agents](how-to/let-a-model-drive.md), and [delivers events](events.md#have-events-delivered).',
    }),
    HOST: variable({
      kind: text('the host name or address to listen on', /^[\w.:-]+$/),
      default: '127.0.0.1',
      description: 'Address of all ports of the host.',
    }),
    PORT: variable({
      kind: port,
      default: '8080',
      roles: ['api'],
      description: 'Port of the API and the console; 0 selects a free port.',
    }),
    HOOKS_PORT: variable({
      kind: port,
      roles: ['api'],
      description: 'Port of the [hooks](hooks.md), at which other systems publish messages; unset: there is none.',
    }),
    CAMUNDA7_PORT: variable({
      kind: port,
      roles: ['api'],
      description:
        'Port for [job workers of Camunda 7](how-to/bring-camunda-7-workers.md), by its external task protocol; unset: there is none.',
    }),
    METRICS_PORT: variable({ kind: port, description: 'Port for `/metrics`, `/health`, and `/ready`.' }),
    NODE_TLS_REJECT_UNAUTHORIZED: variable({
      kind: text("Node's value"),
      description:
        '`0` is refused at start if any connection can leave this machine. For a private certificate authority, set ' +
        "Node's `NODE_EXTRA_CA_CERTS`.",
    }),
    LOG_LEVEL: variable({ kind: oneOf(logLevels), default: 'info', description: 'The lowest level that is logged.' }),
    SHUTDOWN_DELAY: variable({
      kind: duration('0s', '300s', 'a duration of up to five minutes, such as 5s'),
      default: '0s',
      roles: ['api'],
      description:
        'How long the API keeps serving after SIGTERM while `/ready` returns 503: the time that your ' +
        'load balancer needs to notice ([upgrades](operations/upgrades.md#rolling-restart)).',
    }),
  },
};
