import type { z } from 'zod';
import type { DeployedFile } from '../../../store/definitions/bundle.js';
import { deployBundle } from '../../../store/definitions/deploy-bundle.js';
import { createdDefinitions } from '../../audit/created-definitions.js';
import { recorded } from '../../audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { problem } from '../../contract/problem.js';
import type { Problem } from '../../contract/problem.js';
import { problemOfOpening } from '../projects/shared/project.js';
import { compileBundle, kindOf, type GivenFile } from './shared/compile-bundle.js';
import { toDeployment } from './shared/deployment.js';
import { invalidBundle, type FileIssue } from './shared/issues.js';
import { deployBundleRequest, deployment } from './shared/schemas.js';

export const deployBpmnBundle = defineOperation({
  operationID: 'DeployBpmnBundle',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/deployments',
  role: 'editor',
  opensProject: true,
  records: {
    entry: 'within',
    says: ({ body }) => ({ details: { name: body.name, files: body.files.map(({ name }) => name) } }),
  },
  summary: 'Deploy several files at once',
  description:
    'Deploys BPMN, DMN, and form files (`.bpmn`, `.dmn`, `.form`), all of them or none, in up to 20 MiB. Files with errors are refused with all problems of all files. What equals its newest version stays UNCHANGED and gets no new version, so the same bundle can be sent again. A process is also new if something new is bound to it by `bindingType="deployment"`. 200 without `deploymentID` means that nothing is new, or that `dryRun` only asked. CONFLICT: a project with this id is being deleted.',
  request: { body: deployBundleRequest },
  responses: {
    201: { description: 'Deployment', schema: deployment },
    200: { description: 'Result of a dry run, or of a bundle without anything new', schema: deployment },
  },
  problems: ['INVALID_MODEL', 'CONFLICT'],
  maxBodyBytes: 20 * 1024 * 1024,
  maxBodyValues: 1_000,
  deadlineSeconds: 120,
}).handle(async (input) => {
  const { body, caller, context, turns } = input;
  const { projectID } = input.params;
  const wrong = wrongName(body.files);
  if (wrong !== undefined) return wrong;
  const { files, issues } = await compileBundle(context.store, projectID, body.files, turns);
  if (issues.some(({ severity }) => severity === 'error')) return invalidBundle(issues);
  const unopened = await problemOfOpening(context, caller, projectID);
  if (unopened !== undefined) return unopened;
  const { name, reason, dryRun } = body;
  const deployedBy = caller.subject;
  return recorded(input, async (store) => {
    const outcome = await deployBundle(store, { projectID, name, reason, deployedBy, files }, { dryRun });
    if (outcome.kind === 'deployed')
      return {
        status: 201,
        body: withWarnings(toDeployment(outcome.deployment), issues),
        audit: createdDefinitions(createdIn(outcome.deployment.files)),
      };
    if (outcome.kind === 'refused') return refusalProblem(outcome);
    const createdAt = new Date().toISOString();
    return {
      status: 200,
      body: withWarnings({ name, reason, createdBy: deployedBy, createdAt, files: outcome.files }, issues),
    };
  });
});

/** The definitions of the bundle that are new, of processes and of decisions. */
function createdIn(files: readonly DeployedFile[]): string[] {
  return files.flatMap(({ state, definitionID, processes = [] }) =>
    [{ state, definitionID }, ...processes].flatMap((one) =>
      one.state === 'CREATED' && one.definitionID !== undefined ? [one.definitionID] : [],
    ),
  );
}

function wrongName(files: readonly GivenFile[]): Problem<'BAD_REQUEST'> | undefined {
  const names = new Set<string>();
  const issues = files.flatMap(({ name }, index) => {
    const isRepeated = names.has(name);
    names.add(name);
    const path = `/files/${index}/name`;
    if (isRepeated) return [{ path, message: 'Another file has the same name' }];
    return kindOf(name) === undefined ? [{ path, message: 'The name must end in .bpmn, .dmn, or .form' }] : [];
  });
  return issues.length === 0
    ? undefined
    : problem('BAD_REQUEST', `The body is not valid: ${issues[0]!.path}: ${issues[0]!.message}`, {
        details: { issues },
      });
}

function withWarnings(
  { files, ...rest }: z.output<typeof deployment>,
  issues: readonly FileIssue[],
): z.output<typeof deployment> {
  return {
    ...rest,
    files: files.map((file) => {
      const warnings = issues
        .filter((issue) => issue.file === file.name)
        .map(({ severity, elementID, message }) => ({ severity, elementID, message }));
      return warnings.length === 0 ? file : { ...file, warnings };
    }),
  };
}
