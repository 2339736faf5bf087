/**
 * The declaration of a REST operation that sends one command to one instance and waits for its outcome:
 * `defineCommand({...}).submit(async (input) => ...)`. All of them have the same responses, headers, and deadline.
 */
import type { z } from 'zod';
import type { Request, Submitted } from '../../store/instances/submit-command.js';
import type { Refusal, RefusalCode } from '../../store/sql/refusal.js';
import type { Caller } from '../access/caller.js';
import { command } from '../contract/command.js';
import { defineOperation } from './define-operation.js';
import type { HandlerInput, Operation } from './operation.js';
import type { BodyOf, ParamsOf, UnrecordedDeclaration } from '../contract/operation.js';
import type { Recording } from '../contract/audit/recording.js';
import { isProblem, type Problem } from '../contract/problem.js';
import type { ProjectRole } from '../contract/roles.js';
import { acceptedResponse, commandDeadlineSeconds, submitAndAwait } from './commands.js';
import { refusalProblem } from './refusal.js';

type CommandPath = `/projects/{projectID}${string}`;

/** The codes that a command can be refused or rejected with, besides those that its operation declares. */
const commandProblems = ['CONFLICT', 'INSTANCE_ENDED'] as const;

/** The members of a command that its HTTP request determines. */
export type CommandRequest = Omit<Request, 'workflowID' | 'reason'>;

type CommandDeclaration<
  Role extends ProjectRole,
  Path extends CommandPath,
  Body extends z.ZodType | undefined,
  Code extends RefusalCode,
> = Omit<
  UnrecordedDeclaration<Role, Path, undefined, Body, never, Code>,
  'responses' | 'problems' | 'accepts' | 'waits' | 'polls' | 'deadlineSeconds' | 'countsAs'
> & {
  /** Of the audit entry, which is written with the command. */
  readonly says: Recording<ParamsOf<Path>, Record<never, never>, BodyOf<Body>>['says'];
  /** The description of the response when the command has taken effect. */
  readonly applied: string;
  /** The codes that the store refuses this command with, in addition to those of every command. */
  readonly problems?: readonly Code[];
};

type CommandInput<Path extends CommandPath, Body extends z.ZodType | undefined> = HandlerInput<
  ParamsOf<Path>,
  Record<never, never>,
  BodyOf<Body>,
  Caller
>;

/** Writes the command, whose `request` every operation fills in the same way. A refusal or a problem means that nothing was written. */
type Submit<Path extends CommandPath, Body extends z.ZodType | undefined, Code extends RefusalCode> = (
  input: CommandInput<Path, Body>,
  request: CommandRequest,
) => Promise<
  | Submitted
  | Refusal<Code | 'NOT_FOUND' | (typeof commandProblems)[number]>
  | Problem<'NOT_FOUND' | 'BAD_REQUEST' | (typeof commandProblems)[number]>
>;

export function defineCommand<
  const Role extends ProjectRole,
  const Path extends CommandPath,
  const Code extends RefusalCode = never,
  Body extends z.ZodType | undefined = undefined,
>({
  applied,
  problems = [],
  says,
  ...declaration
}: CommandDeclaration<Role, Path, Body, Code>): { submit(submit: Submit<Path, Body, Code>): Operation } {
  const operation = defineOperation({
    ...declaration,
    responses: { 200: { description: applied, schema: command }, 202: acceptedResponse },
    problems: [...commandProblems, ...problems],
    waits: 'outcome',
    records: { entry: 'within', says },
    deadlineSeconds: commandDeadlineSeconds,
  });
  return {
    submit: (submit) =>
      operation.handle(async (input) => {
        const submitted = await submit(input, commandRequest(input as unknown as InProject));
        if (isProblem(submitted)) return submitted;
        if (submitted.kind === 'refused') return refusalProblem(submitted);
        return submitAndAwait(input.context, submitted, input.headers.waitMilliseconds);
      }),
  };
}

/** The input of an operation in a project. TypeScript does not derive this parameter of a path that is generic. */
type InProject = Pick<
  HandlerInput<{ readonly projectID: string }, unknown, unknown, Caller>,
  'params' | 'caller' | 'headers' | 'traceContext' | 'audit'
>;

/** The members of a command that every operation fills in the same way. */
export function commandRequest({ params, caller, headers, traceContext, audit }: InProject): CommandRequest {
  return {
    projectID: params.projectID,
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
    audit,
  };
}
