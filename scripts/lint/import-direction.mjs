/**
 * Imports point in one direction: feel <- engine <- bpmn <- api, engine <- workflows, engine <- store <- activities <-
 * worker. That is why the same engine runs in a unit test in milliseconds and on Temporal for a year.
 */
import { dirname, relative, resolve, sep } from 'node:path';

/**
 * The folders and packages that each folder can import in addition to itself. A package includes everything below it.
 */
const directions = {
  feel: { folders: [], packages: [] },
  dmn: { folders: ['feel'], packages: ['saxen'] },
  engine: { folders: ['feel'], packages: [] },
  bpmn: { folders: ['engine', 'feel', 'dmn'], packages: ['bpmn-moddle', 'saxen', 'node:'] },
  tracing: { folders: [], packages: ['@opentelemetry', 'node:'], types: ['engine'] },
  workflows: { folders: ['engine'], packages: ['@temporalio/workflow', '@temporalio/common'], types: ['activities'] },
  activities: {
    folders: ['tracing', 'store', 'dmn'],
    packages: ['@temporalio/activity', '@temporalio/client', '@temporalio/common', 'pg', 'node:'],
    types: ['engine', 'workflows'],
    files: ['engine/facts-digest'],
  },
  store: {
    folders: [],
    packages: ['pg', 'node-pg-migrate', 'node:'],
    types: ['engine'],
    files: ['engine/apply', 'engine/facts-digest', 'engine/state', 'engine/upgrade'],
  },
  worker: {
    folders: ['tracing', 'activities', 'store'],
    packages: ['@temporalio', 'pg', 'pino', 'node:'],
    types: ['engine', 'host', 'workflows'],
    files: [
      'workflows/local-input',
      'workflows/messages',
      'engine/triggers/start-timer',
      'engine/triggers/cron',
      'engine/triggers/iso8601',
    ],
  },
  api: {
    folders: ['tracing', 'store', 'bpmn', 'dmn', 'engine', 'feel'],
    packages: ['hono', '@hono', 'jose', 'zod', 'pg', 'pino', 'prom-client', 'node:'],
    files: ['workflows/messages'],
  },
  client: { folders: [], packages: ['openapi-fetch', 'node:'] },
  cli: { folders: ['client', 'bpmn', 'dmn'], packages: ['node:'] },
  testkit: { folders: ['bpmn', 'engine', 'dmn', 'feel'], packages: ['node:'] },
  examples: { folders: ['client'], packages: ['node:'] },
  console: {
    folders: [],
    packages: [
      'react',
      'react-dom',
      'react-router',
      '@tanstack',
      'openapi-fetch',
      'oidc-client-ts',
      'bpmn-js',
      'diagram-js',
      '@bpmn-io',
      'vite',
      'node:',
    ],
    types: ['client'],
  },
  issuer: { folders: [], packages: ['oidc-provider', 'jose', 'zod', 'koa', 'node:'] },
};

export const importDirection = {
  create(context) {
    const path = relative(context.cwd, context.filename).split(sep);
    const from = path[0];
    const allowed = directions[from];
    if (path.length < 2 || allowed === undefined) return {};
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const isType = node.importKind === 'type' || node.exportKind === 'type';
      const target = specifier.startsWith('.')
        ? relative(context.cwd, resolve(dirname(context.filename), specifier))
        : undefined;
      const isFine =
        target === undefined ? mayImportPackage(allowed, specifier) : mayImportFile(from, allowed, target, isType);
      if (!isFine) context.report({ node, message: complaint(from, allowed, specifier) });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

function mayImportPackage({ packages }, specifier) {
  return packages.some((name) => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`));
}

function mayImportFile(from, { folders, types = [], files = [] }, target, isType) {
  const [folder] = target.split(sep);
  if (folder === from || folders.includes(folder) || (isType && types.includes(folder))) return true;
  return files.includes(target.replace(/\.js$/, '').split(sep).join('/'));
}

function complaint(from, { folders, types = [], files = [], packages }, specifier) {
  const ours = [...folders, ...files, ...types.map((folder) => `types of ${folder}`)];
  return `${from}/ cannot import ${specifier}. It can import itself, ${ours.join(', ') || 'no other folder'}; packages: ${packages.join(', ') || 'none'}.`;
}
