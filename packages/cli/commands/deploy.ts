import { unwrap, ApiError, type Schemas } from '@perdure/client';
import { MODEL_NAMES } from '@perdure/lib/model-files/kind.js';
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Command, type Invocation } from '../command.js';
import { describeProblem, locateDiagnostics, type Diagnostic } from '../diagnostics.js';
import type { Host } from '../host.js';
import { findModels, type FoundModels } from '../models/find.js';
import { readBundle, type ReadModel } from '../models/read.js';
import { counted, show } from '../terminal.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';
import { deployedFiles, type DeployedFile } from './deployments/deployed-files.js';
import { reasonOf, reasonOption } from './instance/target.js';
import { watchFolders } from './watch-files.js';

type Deployment = Schemas['BpmnDeployment'];
/** A problem of one file, as the host reports it. */
type FileProblem = Diagnostic & { file: string; line?: number; column?: number };

export const deploy: Command = {
  name: 'deploy',
  role: 'editor',
  operands: 'FILE|DIR...',
  summary: 'Deploy BPMN, DMN, form, and element template files: all of them or none',
  details:
    `A folder means all models in it and below it: files whose names end in ${MODEL_NAMES}. Scenarios and names ` +
    'that begin with a dot are passed over. What equals its newest version stays unchanged, so the same models can be ' +
    'deployed again. An element template replaces those with its id.',
  examples: [
    'perdure deploy models',
    "perdure deploy models --name 'release 7' --reason CH-1207",
    'perdure deploy models --dry-run',
    'perdure deploy *.bpmn *.dmn --watch',
  ],
  minOperands: 1,
  maxOperands: Infinity,
  options: {
    'dry-run': { type: 'boolean', help: 'show the problems, and what would be created, and deploy nothing' },
    name: { type: 'string', value: 'TEXT', help: 'name of the deployment, such as that of a release' },
    ...reasonOption,
    watch: { type: 'boolean', help: 'deploy again when a file is changed or added, until Ctrl-C' },
  },
  async run(invocation) {
    const host = await invocation.host();
    if (invocation.flag('watch')) return deployAndWatch(host, invocation);
    const models = await readBundle(await findModels(invocation.operands));
    return deployModels(host, models, invocation);
  },
};

/** @returns the exit code */
async function deployModels(
  { client, projectID }: Host,
  models: readonly ReadModel[],
  invocation: Invocation,
  shows: (file: DeployedFile) => boolean = () => true,
): Promise<number> {
  const { terminal } = invocation;
  const name = invocation.option('name');
  const dryRun = invocation.flag('dry-run');
  const files = models.map(({ name: file, content }) => ({ name: file, content }));
  try {
    const deployment = await unwrap<Deployment>(
      client.POST('/projects/{projectID}/bpmn/deployments', {
        params: { path: { projectID } },
        body: { files, dryRun, ...(name !== undefined && { name }), ...reasonOf(invocation) },
      }),
    );
    // lint and a dry run are for warnings; a pipeline that deploys has seen them.
    if (dryRun)
      complain(deployment.files.flatMap(({ name: file, warnings = [] }) => warnings.map((one) => ({ ...one, file }))));
    show(terminal, deployment, () => describe(deployment, dryRun, shows));
    return exitCodes.done;
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    complain(problems);
    const wrong = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file));
    terminal.complain(`Nothing was deployed. Files with errors: ${wrong.size} of ${models.length}`);
    return exitCodes.refused;
  }

  function complain(problems: readonly FileProblem[]): void {
    for (const { file, line, column, ...problem } of problems) {
      const { path, content } = models.find((model) => model.name === file) ?? { path: file, content: '' };
      const located =
        line === undefined
          ? locateDiagnostics(path, content, [problem])
          : [{ ...problem, file: path, line, column: column ?? 1 }];
      for (const one of located) terminal.complain(describeProblem(one));
    }
  }
}

function describe({ deploymentID, files }: Deployment, dryRun: boolean, shows: (file: DeployedFile) => boolean) {
  const created = files.filter(({ state }) => state === 'CREATED').length;
  const counts = `${created} created, ${files.length - created} unchanged`;
  const unit = counted(files.length, 'file');
  const result =
    deploymentID === undefined ? `${unit}: nothing is new` : `${unit}: ${counts} in deployment ${deploymentID}`;
  return [
    ...deployedFiles(files.filter(shows)),
    printable(dryRun ? `Dry run of ${unit}: ${counts}. Nothing was deployed.` : result),
  ];
}

/** The problems of the models, if the host refused the bundle because of them. */
function problemsOf(error: unknown): FileProblem[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_MODEL') return undefined;
  const { errors = [], warnings = [] } = (error.details ?? {}) as { errors?: FileProblem[]; warnings?: FileProblem[] };
  return [...errors, ...warnings];
}

/** Deploys all models again whenever one of them changes. Those that stay the same get no new version. */
async function deployAndWatch(host: Host, invocation: Invocation): Promise<number> {
  const { operands, terminal, signal } = invocation;
  const texts = new Map<string, string>();
  let deployed: string | undefined;

  async function deployChanged(found: FoundModels): Promise<void> {
    const models = await readBundle(found, (path) => stableText(texts, path));
    const content = JSON.stringify(models);
    if (content === deployed) return;
    const isFirst = deployed === undefined;
    deployed = content;
    await deployModels(host, models, invocation, ({ state }) => isFirst || state === 'CREATED');
  }

  await watchFolders(async () => {
    const found = await findModels(operands);
    await deployChanged(found).catch((error: Error) => {
      // A watch continues after a failure: the next change is the next attempt.
      if (!signal.aborted) terminal.complain(error.message);
    });
    return found.folders;
  }, signal);
  return exitCodes.done;
}

/** Editors replace a file, or write it in several steps: for a moment it is empty. */
async function stableText(texts: Map<string, string>, path: string): Promise<string> {
  const text = await readText(path);
  const former = texts.get(path);
  if (text === '' && former !== undefined) return former;
  if (text === '') throw new WrongUse(`${path} is empty`);
  texts.set(path, text);
  return text;
}
