import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';

/** The version whose requests the operations of this folder answer. Camunda Modeler offers what this version has. */
const GATEWAY_VERSION = '8.8.0';

export const getCamundaTopology = defineOperation({
  operationID: 'GetCamundaTopology',
  method: 'GET',
  path: '/projects/{projectID}/v2/topology',
  role: 'viewer',
  summary: 'Tell Camunda Modeler that it can connect',
  description:
    'The answer that Camunda 8 has for its topology, with the version whose deployments the host accepts. Camunda Modeler asks for it before it deploys to the address `/projects/{projectID}`.',
  request: {},
  responses: {
    200: {
      description: 'Topology',
      schema: z
        .strictObject({
          brokers: z.array(z.string()),
          clusterSize: z.int(),
          partitionsCount: z.int(),
          replicationFactor: z.int(),
          gatewayVersion: z.string(),
          lastCompletedChangeId: z.string(),
        })
        .meta({ id: 'CamundaTopology' }),
    },
  },
  problems: [],
}).handle(async () => ({
  status: 200,
  body: {
    brokers: [],
    clusterSize: 1,
    partitionsCount: 1,
    replicationFactor: 1,
    gatewayVersion: GATEWAY_VERSION,
    lastCompletedChangeId: '',
  },
}));
