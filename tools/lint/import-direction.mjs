/**
 * Imports point in one direction: feel <- engine <- bpmn <- api, engine <- workflows, engine <- store <- hot-instances <-
 * activities <- worker <- host. That is why the same engine runs in a unit test in milliseconds and on Temporal for a year.
 */
import { dirname, join, relative, resolve, sep } from 'node:path';

const NODE = 'node:';
/** The pure part of `lib`, for code that a replay runs. */
const pureLib = ['packages/lib/canonical-json', 'packages/lib/bounded-cache', 'packages/lib/duration'];
/** Reads model files by their encoding, in browsers too. */
const modelFiles = 'packages/lib/model-files/decode';
const namespaces = 'packages/lib/model-files/namespaces';
/** Names that models and the connectors of agents share. */
const agents = 'packages/lib/model-files/agents';
const readers = ['packages/engine', 'packages/bpmn', 'packages/dmn', 'packages/feel', 'packages/forms'];
const everything = [
  'activities',
  'api',
  'background',
  'backtests',
  'bench',
  'dev',
  'connectors',
  'examples',
  'host',
  'hot-instances',
  'outbound',
  'store',
  'telemetry',
  'temporal',
  'tools',
  'worker',
  'workflows',
  ...readers,
  ...['backtest', 'lib', 'configuration', 'client', 'convert', 'juel', 'testkit', 'cli', 'xml'].map(
    (name) => `packages/${name}`,
  ),
];

/**
 * The rooms and packages that each room can import in addition to itself. A room is a top-level folder or a folder of
 * `packages/`. A package includes everything below it; `packages: 'any'` permits all.
 */
const directions = {
  'packages/lib': { rooms: [], packages: [NODE] },
  'packages/configuration': { rooms: ['packages/lib'], packages: ['zod', NODE] },
  'packages/feel': { rooms: [], packages: [], files: pureLib },
  'packages/juel': { rooms: [], packages: [] },
  'packages/xml': { rooms: ['packages/lib'], packages: ['saxen', NODE] },
  'packages/dmn': { rooms: ['packages/feel', 'packages/lib', 'packages/xml'], packages: [NODE] },
  'packages/forms': { rooms: ['packages/feel', 'packages/lib'], packages: [NODE] },
  'packages/engine': { rooms: ['packages/feel'], packages: [], files: [...pureLib, agents] },
  'packages/backtest': { rooms: ['packages/engine'], packages: [] },
  'packages/bpmn': {
    rooms: ['engine', 'feel', 'dmn', 'forms', 'juel', 'lib', 'xml'].map((name) => `packages/${name}`),
    packages: ['bpmn-moddle', NODE],
  },
  'packages/convert': {
    rooms: ['packages/juel', 'packages/lib', 'packages/xml'],
    packages: ['@xmldom/xmldom', NODE],
  },
  'packages/client': { rooms: [], packages: ['openapi-fetch', NODE] },
  'packages/cli': {
    rooms: [
      'packages/client',
      'packages/bpmn',
      'packages/convert',
      'packages/dmn',
      'packages/forms',
      'packages/lib',
      'packages/testkit',
      'packages/xml',
    ],
    packages: [NODE],
  },
  'packages/testkit': {
    rooms: ['bpmn', 'engine', 'dmn', 'feel', 'forms', 'lib', 'xml'].map((name) => `packages/${name}`),
    packages: [NODE],
  },
  telemetry: {
    rooms: ['packages/lib', 'packages/configuration'],
    packages: ['@opentelemetry', 'pino', 'prom-client', NODE],
    types: ['packages/engine'],
  },
  outbound: { rooms: ['packages/lib', 'packages/configuration'], packages: ['zod', NODE] },
  workflows: {
    rooms: ['packages/engine'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    types: ['activities'],
    files: pureLib,
  },
  store: {
    rooms: ['packages/lib'],
    packages: ['pg', 'node-pg-migrate', NODE],
    types: ['packages/engine', 'packages/dmn'],
    files: [
      'packages/engine/apply',
      'packages/engine/concurrency-key',
      'packages/engine/contract/facts',
      'packages/engine/contract/step-commit',
      'packages/engine/queued-start',
      'packages/engine/redaction/commands',
      'packages/engine/redaction/facts',
      'packages/engine/redaction/variables',
      'packages/engine/state/element-data',
      'packages/engine/state/facts-digest',
      'packages/engine/state/state',
      'packages/engine/state/upgrade',
    ],
  },
  'hot-instances': { rooms: ['packages/lib', 'store'], packages: ['prom-client', NODE], types: ['packages/engine'] },
  activities: {
    rooms: ['packages/lib', 'telemetry', 'store', 'hot-instances', 'packages/dmn'],
    packages: ['@temporalio/activity', '@temporalio/client', '@temporalio/common', 'pg', NODE],
    types: ['packages/engine', 'workflows'],
    files: ['packages/engine/state/facts-digest'],
  },
  temporal: {
    rooms: ['packages/lib', 'store'],
    packages: ['@temporalio', 'pg', 'pino', NODE],
    types: ['packages/engine'],
    files: ['workflows/local-input', 'workflows/messages'],
  },
  backtests: {
    rooms: ['packages/lib', 'packages/backtest', 'packages/dmn', 'store'],
    packages: [NODE],
    types: ['packages/engine'],
    files: ['activities/decision-outcome', 'packages/engine/model/model'],
  },
  background: { rooms: ['packages/lib'], packages: ['pino', 'prom-client', NODE] },
  worker: {
    rooms: [
      'packages/lib',
      'packages/bpmn',
      'background',
      'backtests',
      'outbound',
      'telemetry',
      'activities',
      'hot-instances',
      'store',
      'temporal',
    ],
    packages: ['@temporalio', 'pg', 'pino', 'prom-client', NODE],
    types: ['packages/engine', 'workflows'],
    files: [
      'workflows/local-input',
      'workflows/messages',
      'packages/engine/time/start-timer',
      'packages/engine/time/cron',
      'packages/engine/time/iso8601',
    ],
  },
  connectors: {
    rooms: ['packages/feel', 'packages/lib', 'packages/configuration', 'background', 'outbound', 'store', 'telemetry'],
    packages: ['@temporalio', 'nexus-rpc', 'zod', 'pg', 'pino', 'prom-client', NODE],
    types: ['packages/engine', 'workflows'],
    files: ['packages/engine/behaviors/lifecycle/size'],
  },
  api: {
    rooms: [
      ...readers,
      'packages/convert',
      'packages/lib',
      'packages/configuration',
      'backtests',
      'hot-instances',
      'outbound',
      'telemetry',
      'store',
    ],
    packages: ['hono', '@hono', 'zod', 'pg', 'pino', 'prom-client', NODE],
    files: ['packages/testkit/scenario/schema', 'workflows/messages'],
  },
  host: {
    rooms: [
      'packages/backtest',
      'packages/bpmn',
      'packages/engine',
      'packages/lib',
      'packages/configuration',
      'activities',
      'api',
      'background',
      'connectors',
      'hot-instances',
      'outbound',
      'store',
      'telemetry',
      'temporal',
      'worker',
    ],
    packages: ['@temporalio', 'hono', '@hono', 'jose', 'pg', 'pino', 'prom-client', 'zod', NODE],
    files: ['workflows/messages'],
  },
  examples: { rooms: ['packages/client'], packages: ['@temporalio', 'nexus-rpc', NODE], files: [modelFiles] },
  console: {
    // The modeler runs the compilers in a worker thread of the page.
    rooms: ['packages/bpmn', 'packages/client', 'packages/dmn', 'packages/forms', 'packages/xml'],
    packages: [
      'react',
      'react-dom',
      'react-router',
      '@ariakit/react',
      '@tanstack',
      'openapi-fetch',
      'oidc-client-ts',
      'bpmn-js',
      'bpmn-js-color-picker',
      'bpmn-js-differ',
      'bpmn-js-element-templates',
      'bpmn-js-properties-panel',
      'bpmn-moddle',
      'camunda-bpmn-js',
      'diagram-js',
      'diagram-js-minimap',
      'dmn-js',
      '@bpmn-io',
      '@fontsource-variable',
      'uplot',
      'vite',
      NODE,
    ],
    // One click runs the example with the files and handlers that its README describes.
    files: [
      'examples/element-templates/perdure-http-task.json',
      'examples/order-fulfilment/collect-payment.bpmn?raw',
      'examples/order-fulfilment/handlers',
      'examples/order-fulfilment/order-fulfilment.bpmn?raw',
      'tools/packages/sources',
      // Runs in a web worker; pages import its types.
      'packages/testkit/browser',
      modelFiles,
      'packages/lib/model-files/content-kind',
      'packages/lib/model-files/kind',
      namespaces,
      agents,
    ],
  },
  dev: { rooms: ['host', 'packages/lib'], packages: 'any' },
  tools: {
    rooms: [
      'dev',
      'packages/bpmn',
      'packages/dmn',
      'packages/feel',
      'packages/lib',
      'packages/testkit',
      'packages/xml',
    ],
    packages: 'any',
  },
  bench: { rooms: everything, packages: 'any' },
  test: { rooms: [...everything, 'console'], packages: 'any' },
};

/** Value imports between the folders of a package. Files at its root may import and be imported freely. */
const inside = {
  'packages/bpmn': { shipped: [], read: ['shipped'], check: ['read'], compile: ['read', 'check'] },
  'packages/engine': {
    contract: [],
    time: [],
    model: [],
    state: [],
    appliers: ['state'],
    redaction: ['contract', 'state'],
    behaviors: ['contract', 'model', 'state', 'time'],
    events: ['behaviors', 'model', 'state', 'time'],
    elements: ['behaviors', 'events', 'state'],
    migration: ['behaviors', 'contract', 'model', 'state'],
    handlers: ['behaviors', 'elements', 'migration', 'state'],
    import: ['behaviors', 'model', 'state', 'time'],
  },
};

/** Declarations of the API: imported by everything there, and by the documentation of operations. */
const declarations = 'api/contract';

export const importDirection = {
  create(context) {
    const path = relative(context.cwd, context.filename);
    const from = roomOf(path);
    if (!path.includes(sep)) return {};
    const allowed = directions[from];
    if (allowed === undefined)
      return { Program: (node) => context.report({ node, message: `${from}/ has no line in import-direction.mjs.` }) };
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const isType = node.importKind === 'type' || node.exportKind === 'type';
      const target = targetOf(context, specifier);
      const folder = isType || target === undefined ? undefined : forbiddenInside(from, path, target);
      if (folder !== undefined)
        context.report({
          node,
          message: `${from}/${folder} cannot import ${specifier}. See inside in ` + 'import-direction.mjs.',
        });
      if (isDeclaration(path) && target !== undefined && !isDeclaration(target) && !target.startsWith('packages'))
        context.report({
          node,
          message: `${declarations} cannot import ${specifier}. It can import itself and packages/.`,
        });
      const isFine =
        target === undefined ? mayImportPackage(allowed, specifier) : mayImportFile(from, allowed, target, isType);
      if (!isFine) context.report({ node, message: complaint(from, allowed, specifier) });
      else if (mustUseName(from, target, specifier))
        context.report({ node, message: `Import ${target} by the name of its package: '${nameOf(target)}'.` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

function isDeclaration(path) {
  return path.split(sep).join('/').startsWith(`${declarations}/`);
}

/** The imported file of this repository, from its root; undefined for packages of others. */
function targetOf({ cwd, filename }, specifier) {
  const own = /^@perdure\/([^/]+)\/?(.*)$/.exec(specifier);
  if (own) return join('packages', own[1], own[2] || 'index.js');
  return specifier.startsWith('.') ? relative(cwd, resolve(dirname(filename), specifier)) : undefined;
}

/** By path, only tests may reach into a package: they also test what it does not export. */
function mustUseName(from, target, specifier) {
  if (target === undefined || !specifier.startsWith('.') || from === 'test') return false;
  return roomOf(target).startsWith('packages/') && roomOf(target) !== from;
}

const nameOf = (target) =>
  target
    .split(sep)
    .join('/')
    .replace(/^packages/, '@perdure')
    .replace(/\/index\.js$/, '');

/** The importing folder of the package `room` if it may not import `target`. */
function forbiddenInside(room, path, target) {
  const folders = inside[room];
  if (folders === undefined || roomOf(target) !== room) return undefined;
  const folderOf = (file) => /^packages\/[^/]+\/([^/]+)\//.exec(file.split(sep).join('/'))?.[1];
  const [from, to] = [folderOf(path), folderOf(target)];
  if (from === undefined || to === undefined || from === to) return undefined;
  return folders[from]?.includes(to) ? undefined : from;
}

function roomOf(path) {
  const [first, second] = path.split(sep);
  return first === 'packages' ? `packages/${second}` : first;
}

function mayImportPackage({ packages }, specifier) {
  if (packages === 'any') return true;
  return packages.some((name) => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`));
}

function mayImportFile(from, { rooms, types = [], files = [] }, target, isType) {
  const room = roomOf(target);
  if (room === from || rooms.includes(room) || (isType && types.includes(room))) return true;
  return files.includes(target.replace(/\.js$/, '').split(sep).join('/'));
}

function complaint(from, { rooms, types = [], files = [], packages }, specifier) {
  const ours = [...rooms, ...files, ...types.map((room) => `types of ${room}`)];
  return (
    `${from}/ cannot import ${specifier}. It can import itself, ${ours.join(', ') || 'no other folder'}; ` +
    `packages: ${[packages].flat().join(', ') || 'none'}.`
  );
}
