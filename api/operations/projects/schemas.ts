import { z } from 'zod';
import { duration } from '../../duration.js';
import { projectRoles } from '../../roles.js';
import { pageOf, timestamp } from '../../schemas.js';

const projectName = z.string().trim().min(1).max(255);

export const project = z
  .strictObject({ id: z.string(), name: z.string(), createdAt: timestamp, updatedAt: timestamp.optional() })
  .meta({ id: 'Project' });

/** With the role that the caller has in it. */
export const projectOfCaller = project.extend({ role: z.enum(projectRoles) }).meta({ id: 'ProjectOfCaller' });

export const createProjectRequest = z
  .strictObject({ name: projectName })
  .meta({ id: 'CreateProjectRequest' });

const longestSeconds = 100 * 366 * 86_400;
const description = z.string().max(2000);
/** What nobody waits for any more may be kept for no time at all. */
const timeToLive = duration({ minimumSeconds: 0, maximumSeconds: longestSeconds });
/** Long enough for whoever waited for the end of an instance to read how it ended. */
const retention = duration({ minimumSeconds: 60, maximumSeconds: longestSeconds });

/** Durations are ISO 8601; null stands for the default of the host. */
export const projectSettings = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    messageTtl: z.string().nullable(),
    signalTtl: z.string().nullable(),
    historyRetention: z.string().nullable(),
  })
  .meta({ id: 'ProjectSettings' });

/** What it does not name stays; null brings back the default of the host. */
export const changeProjectSettingsRequest = z
  .strictObject({
    name: projectName.optional(),
    description: description.nullable().optional(),
    messageTtl: timeToLive.nullable().optional(),
    signalTtl: timeToLive.nullable().optional(),
    historyRetention: retention.nullable().optional(),
  })
  .meta({ id: 'ChangeProjectSettingsRequest' });

/** The `sub` of somebody's tokens, with the prefix of their issuer: whatever the provider gives out, as far as tokens with it are accepted. */
export const subject = z.string().max(255).regex(/^[^\p{Cc}\p{Surrogate}]+$/u);

export const member = z
  .strictObject({ subject, name: z.string().optional(), email: z.string().optional(), role: z.enum(projectRoles) })
  .meta({ id: 'ProjectMember' });

export const membersPage = pageOf('ProjectMemberPaginatedResponse', member);

export const changeMemberRequest = z.strictObject({ role: z.enum(projectRoles) }).meta({ id: 'ChangeProjectMemberRequest' });
