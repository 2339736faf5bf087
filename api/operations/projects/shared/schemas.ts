import { z } from 'zod';
import { MAX_MODEL_NAME_LENGTH } from '@perdure/lib/model-files/agents.js';
import { duration } from '../../../contract/duration.js';
import { projectRoles } from '../../../contract/roles.js';
import { pageOf, timestamp } from '../../../contract/schemas.js';

const projectName = z.string().trim().min(1).max(255);

export const project = z
  .strictObject({ id: z.string(), name: z.string(), createdAt: timestamp, updatedAt: timestamp.optional() })
  .meta({ id: 'Project' });

/** With the role that the caller has in it. */
export const projectOfCaller = project.extend({ role: z.enum(projectRoles) }).meta({ id: 'ProjectOfCaller' });

export const createProjectRequest = z.strictObject({ name: projectName }).meta({ id: 'CreateProjectRequest' });

const maxSeconds = 100 * 366 * 86_400;
const description = z.string().max(2000);
/** Zero is allowed: a message that matches no open subscription can expire immediately. */
const timeToLive = duration({ minimumSeconds: 0, maximumSeconds: maxSeconds });
/** Long enough for a client that awaits the end of an instance to read its result. */
const retention = duration({ minimumSeconds: 60, maximumSeconds: maxSeconds });

const eventRetention = duration({ minimumSeconds: 3_600, maximumSeconds: 90 * 86_400 });

const MAX_PRICE = 1_000_000;

/** Six decimal places, so that costs are exact. */
const price = z
  .number()
  .min(0)
  .max(MAX_PRICE)
  .refine((value) => Number(value.toFixed(6)) === value, { error: 'must have at most 6 decimal places' });

const agentPrice = z
  .strictObject({
    model: z.string().min(1).max(MAX_MODEL_NAME_LENGTH).describe('As in the input `model` of the agent.'),
    inputPerMillion: price,
    outputPerMillion: price,
    currency: z.string().regex(/^[A-Z]{3}$/, { error: 'must be a code of ISO 4217, such as EUR' }),
  })
  .meta({ id: 'AgentPrice' });

const agentPrices = z
  .array(agentPrice)
  .max(100)
  .refine((prices) => new Set(prices.map(({ model }) => model)).size === prices.length, {
    error: 'must have at most one price for each model',
  });

/** Durations are ISO 8601; null means the default of the host. */
export const projectSettings = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    messageTtl: z.string().nullable(),
    signalTtl: z.string().nullable(),
    historyRetention: z.string().nullable(),
    auditRetention: z.string().nullable(),
    /** Null: the project has no event feed. */
    eventRetention: z.string().nullable(),
    validateForms: z.boolean(),
    agentPrices: z.array(agentPrice),
  })
  .meta({ id: 'ProjectSettings' });

/** Settings that are not named do not change; null restores the default of the host. */
export const changeProjectSettingsRequest = z
  .strictObject({
    name: projectName.optional(),
    description: description.nullable().optional(),
    messageTtl: timeToLive.nullable().optional(),
    signalTtl: timeToLive.nullable().optional(),
    historyRetention: retention.nullable().optional(),
    auditRetention: retention.nullable().optional(),
    eventRetention: eventRetention.nullable().optional(),
    validateForms: z.boolean().optional(),
    agentPrices: agentPrices.optional(),
  })
  .meta({ id: 'ChangeProjectSettingsRequest' });

/** The `sub` claim of a person's tokens, with the prefix of their issuer: any subject that token validation accepts. */
export const subject = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}\p{Surrogate}]+$/u);

export const member = z
  .strictObject({ subject, name: z.string().optional(), email: z.string().optional(), role: z.enum(projectRoles) })
  .meta({ id: 'ProjectMember' });

export const membersPage = pageOf('ProjectMemberPaginatedResponse', member);

export const changeMemberRequest = z
  .strictObject({ role: z.enum(projectRoles) })
  .meta({ id: 'ChangeProjectMemberRequest' });
