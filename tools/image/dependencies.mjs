/** The files of production dependencies that the compiled host can load. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

/**
 * The Temporal SDK imports webpack and swc with its workflow bundler. The image has the finished bundle of the build
 * (`workflowBundle` in the options of the worker), so the bundler is never called.
 */
const bundler = 'node_modules/@temporalio/worker/lib/workflow/bundler.js';
const withoutBundler = `'use strict';
exports.defaultWorkflowInterceptorModules = [];
exports.WorkflowCodeBundler = class WorkflowCodeBundler {
  createBundle() {
    throw new Error('This image cannot bundle workflows: it contains the finished bundle dist/workflow-bundle.js');
  }
};
exports.bundleWorkflowCode = async (options) => new exports.WorkflowCodeBundler(options).createBundle();
`;

/** `packages/bpmn/shipped/packages.ts` loads these by a name that it puts together, which the tracer cannot follow. */
const metaModels = 'node_modules/bpmn-moddle/resources/bpmn/json';

/** `pg` can do without its native client, and uses the sockets of Cloudflare only there. */
const unused = new Set(['pg-native', 'cloudflare']);

/**
 * @param {string} root the repository
 * @param {string[]} entries compiled files
 * @returns {Promise<{ files: string[], replaced: Map<string, string> }>} paths relative to the repository, and the
 *   content of those that are not copied
 */
export async function traceDependencies(root, entries) {
  const replaced = new Map([[bundler, withoutBundler]]);
  const { fileList, warnings } = await nodeFileTrace(entries, {
    base: root,
    processCwd: root,
    readFile: async (path) => replaced.get(relative(root, path)) ?? readIfFile(path),
  });
  const missing = [...warnings].filter(({ message }) => isMissing(message));
  if (missing.length > 0)
    throw new Error(
      `The dependencies of the image cannot be traced:\n${missing.map(({ message }) => message).join('\n')}`,
    );
  const loadedByName = readdirSync(join(root, metaModels)).map((file) => `${metaModels}/${file}`);
  const files = [...fileList, ...loadedByName].filter(
    (path) => path.startsWith('node_modules/') && !isForOtherPlatform(path),
  );
  return { files: files.toSorted(), replaced };
}

/** The tracer looks for files that do not exist, and expects null for them. */
function readIfFile(path) {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : null;
}

/** Other warnings are about licenses, which cannot be parsed. */
function isMissing(message) {
  const [, name] = message.match(/^Failed to resolve dependency "?([^":\s]+)/) ?? [];
  return name !== undefined && !unused.has(name);
}

/** The Temporal SDK ships its core for every platform. The image is based on Debian, which uses glibc. */
function isForOtherPlatform(path) {
  const [, target] = path.match(/core-bridge\/releases\/([^/]+)\//) ?? [];
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return target !== undefined && target !== `${architecture}-unknown-linux-gnu`;
}
