/** Deploys the files of one request, in whichever form it came. */
import { modelKind, MODEL_NAMES } from '@perdure/lib/model-files/kind.js';
import type { z } from 'zod';
import type { BundleFile, DeployedFile } from '../../../../store/definitions/bundle.js';
import { deployBundle } from '../../../../store/definitions/deploy-bundle.js';
import type { Caller } from '../../../access/caller.js';
import { createdDefinitions } from '../../../audit/created-definitions.js';
import { recorded } from '../../../audit/recording.js';
import type { HandlerInput } from '../../../commands/operation.js';
import { refusalProblem } from '../../../commands/refusal.js';
import { problem } from '../../../contract/problem.js';
import type { Problem } from '../../../contract/problem.js';
import { problemOfOpening } from '../../projects/shared/project.js';
import { compileBundle, type GivenFile } from './compile-bundle.js';
import { toDeployment } from './deployment.js';
import { invalidBundle, type FileIssue } from './issues.js';
import type { deployment } from './schemas.js';

type Input = HandlerInput<{ readonly projectID: string }, unknown, unknown, Caller>;

interface Request {
  name?: string | undefined;
  reason?: string | undefined;
  dryRun: boolean;
  files: readonly GivenFile[];
}

type Deployed = z.output<typeof deployment>;

/** @param show the body of the answer */
export async function deployFiles<Body>(
  input: Input,
  { name, reason, dryRun, files: given }: Request,
  show: (deployed: Deployed, files: readonly BundleFile[]) => Body,
) {
  const { caller, context, turns } = input;
  const { projectID } = input.params;
  const wrong = wrongName(given);
  if (wrong !== undefined) return wrong;
  const { files, issues } = await compileBundle(context.store, projectID, given, turns);
  if (issues.some(({ severity }) => severity === 'error')) return invalidBundle(issues);
  const unopened = await problemOfOpening(context, caller, projectID);
  if (unopened !== undefined) return unopened;
  const deployedBy = caller.subject;
  return recorded(input, async (store) => {
    const outcome = await deployBundle(store, { projectID, name, reason, deployedBy, files }, { dryRun });
    if (outcome.kind === 'deployed')
      return {
        status: 201 as const,
        body: show(withWarnings(toDeployment(outcome.deployment), issues), files),
        audit: createdDefinitions(createdIn(outcome.deployment.files)),
      };
    if (outcome.kind === 'refused') return refusalProblem(outcome);
    const createdAt = new Date().toISOString();
    const compared = { name, reason, createdBy: deployedBy, createdAt, files: outcome.files };
    return { status: 200 as const, body: show(withWarnings(compared, issues), files) };
  });
}

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
    return modelKind(name) === undefined ? [{ path, message: `The name must end in ${MODEL_NAMES}` }] : [];
  });
  return issues.length === 0
    ? undefined
    : problem('BAD_REQUEST', `The body is not valid: ${issues[0]!.path}: ${issues[0]!.message}`, {
        details: { issues },
      });
}

function withWarnings({ files, ...rest }: Deployed, issues: readonly FileIssue[]): Deployed {
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
