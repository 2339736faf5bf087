/** Variables of the connection to Temporal, and of the encryption of what it stores. */
import { z } from 'zod';
import { file, oneOf, origins, port, text, type Kind } from '@perdure/configuration/kinds.js';
import { variable, type Environment, type ValuesOf } from '@perdure/configuration/variable.js';
import type { TemporalConfig, TemporalTls } from '../../temporal/connection.js';
import { readKeyRing, type KeyRing } from '../../temporal/key-ring.js';

const keysExpected = 'keys as name=base64 of 32 bytes, separated by commas or line breaks, the encrypting key first';
const keys: Kind<KeyRing> = { schema: z.string().transform(toKeyRing), expected: keysExpected };
const keysInFile: Kind<KeyRing> = {
  schema: file.schema.transform((bytes, context) => toKeyRing(bytes.toString(), context)),
  expected: `a file with ${keysExpected}`,
};

export const temporalSection = {
  title: 'Temporal',
  variables: {
    TEMPORAL_ADDRESS: variable({
      kind: text('the host and port of a Temporal frontend such as localhost:7233', /^[^\s/]+:\d+$/),
      isRequired: true,
      defaultInWords: '`npm start` brings up Temporal',
      description: 'Temporal frontend.',
    }),
    TEMPORAL_NAMESPACE: variable({
      kind: text('a Temporal namespace', /^\S{1,255}$/),
      default: 'default',
      description: 'Namespace of all instances.',
    }),
    TEMPORAL_TASK_QUEUE: variable({
      kind: text('a Temporal task queue of up to 255 characters', /^\S{1,255}$/),
      default: 'perdure',
      description: 'Task queue of all instances.',
    }),
    TEMPORAL_API_KEY: variable({ kind: text('an API key'), isSecret: true, description: 'API key; implies TLS.' }),
    TEMPORAL_TLS: variable({
      kind: oneOf(['true', 'false']),
      defaultInWords: '`true` if another TLS variable or the API key is set',
      description: 'Whether to connect with TLS.',
    }),
    TEMPORAL_TLS_SERVER_NAME: variable({
      kind: text('a server name'),
      description: "Name expected in the server's certificate.",
    }),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: variable({
      kind: file,
      description: 'CA certificate that signed the certificate of the server.',
    }),
    TEMPORAL_TLS_CLIENT_CERT_PATH: variable({
      kind: file,
      description: 'Client certificate; set `TEMPORAL_TLS_CLIENT_KEY_PATH` too.',
    }),
    TEMPORAL_TLS_CLIENT_KEY_PATH: variable({
      kind: file,
      description: 'Key of the client certificate; set `TEMPORAL_TLS_CLIENT_CERT_PATH` too.',
    }),
    // Temporal joins the two names of a version with a dot or a colon, so a deployment name contains neither.
    TEMPORAL_DEPLOYMENT_NAME: variable({
      kind: text(
        'the name of a worker deployment: up to 200 characters, no white space, no . or :',
        /^[^\s.:]{1,200}$/,
      ),
      description:
        'Registers this build as a version of a [worker ' +
        'deployment](operations/upgrades.md#with-worker-deployments); set `TEMPORAL_WORKER_BUILD_ID` too.',
    }),
    TEMPORAL_WORKER_BUILD_ID: variable({
      kind: text('the name of a build: up to 200 characters, no white space', /^\S{1,200}$/),
      description: 'Name of this build in the worker deployment; set `TEMPORAL_DEPLOYMENT_NAME` too.',
    }),
    TEMPORAL_PAYLOAD_KEYS: variable({
      kind: keys,
      isSecret: true,
      description: 'Keys that [encrypt](operations/encryption.md) what Temporal stores.',
    }),
    TEMPORAL_PAYLOAD_KEYS_PATH: variable({
      kind: keysInFile,
      description: 'The same keys in a file; set one of the two.',
    }),
    CODEC_PORT: variable({
      kind: port,
      roles: ['api'],
      description: 'Port of the codec server, which decrypts payloads for the Temporal UI.',
    }),
    CODEC_ORIGINS: variable({
      kind: origins('https://temporal.example.com'),
      roles: ['api'],
      description: 'Origins of the Temporal UI.',
    }),
  },
};

type Variables = (typeof temporalSection)['variables'];
type Values = ValuesOf<Variables>;

export function problemsOfTemporal(environment: Environment): string[] {
  const isSet = (name: keyof Variables) => Boolean(environment[name]);
  const problems = [
    ...problemsOfPair(environment, 'TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'),
    ...problemsOfPair(environment, 'TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID'),
  ];
  const [hasKeys, hasFile] = [isSet('TEMPORAL_PAYLOAD_KEYS'), isSet('TEMPORAL_PAYLOAD_KEYS_PATH')];
  if (hasKeys && hasFile)
    problems.push('TEMPORAL_PAYLOAD_KEYS and TEMPORAL_PAYLOAD_KEYS_PATH are both set. Unset one of them.');
  if (isSet('CODEC_PORT') && !hasKeys && !hasFile)
    problems.push(
      'CODEC_PORT is set, but there are no keys to decrypt with. Set TEMPORAL_PAYLOAD_KEYS or ' +
        'TEMPORAL_PAYLOAD_KEYS_PATH too.',
    );
  return problems;
}

function problemsOfPair(environment: Environment, first: keyof Variables, second: keyof Variables): string[] {
  if (Boolean(environment[first]) === Boolean(environment[second])) return [];
  return [`${first} and ${second} must be set together, but only one of them is`];
}

export function toTemporalConfig(values: Values): TemporalConfig {
  return {
    address: values.TEMPORAL_ADDRESS,
    namespace: values.TEMPORAL_NAMESPACE,
    taskQueue: values.TEMPORAL_TASK_QUEUE,
    deployment: toDeployment(values),
    apiKey: values.TEMPORAL_API_KEY,
    tls: toTls(values),
    payloadKeys: values.TEMPORAL_PAYLOAD_KEYS ?? values.TEMPORAL_PAYLOAD_KEYS_PATH,
  };
}

function toDeployment({
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: buildId,
}: Values): TemporalConfig['deployment'] {
  return deploymentName && buildId ? { deploymentName, buildId } : undefined;
}

/** TLS is used when it is enabled, or when a setting is present that needs it. */
function toTls(values: Values): TemporalTls | undefined {
  const tls: TemporalTls = {};
  if (values.TEMPORAL_TLS_SERVER_NAME) tls.serverNameOverride = values.TEMPORAL_TLS_SERVER_NAME;
  if (values.TEMPORAL_TLS_SERVER_CA_CERT_PATH) tls.serverRootCACertificate = values.TEMPORAL_TLS_SERVER_CA_CERT_PATH;
  const crt = values.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const key = values.TEMPORAL_TLS_CLIENT_KEY_PATH;
  if (crt && key) tls.clientCertPair = { crt, key };
  const implied = Object.keys(tls).length > 0 || values.TEMPORAL_API_KEY !== undefined;
  const wanted = values.TEMPORAL_TLS === undefined ? implied : values.TEMPORAL_TLS === 'true';
  return wanted ? tls : undefined;
}

function toKeyRing(given: string, context: z.RefinementCtx): KeyRing {
  const keyRing = readKeyRing(given);
  if (keyRing !== undefined) return keyRing;
  context.addIssue({ code: 'custom', message: 'is not a list of keys' });
  return z.NEVER;
}
