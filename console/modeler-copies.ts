/**
 * Gives the modeler its own copies of the modules that it shares with the viewer of diagrams. With shared ones, each
 * screen with a diagram would load what the modeler alone uses of them.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Ends the id of a copy. */
const COPY = '?modeler';

const modeler = /\/console\/features\/modeler\/bpmn-modeler\.ts$/;
const scripts = /\/(?:node_modules|console\/features\/(?:diagram|modeler))\/.+\.(?:m?js|ts)$/;

/** The FEEL editor and what it consists of. Forms and fields load the same one. */
const feelEditor = /\/node_modules\/(?:@codemirror|@lezer|@bpmn-io\/(?:cm-theme|feel|lang-feel|lezer-feel)[\w-]*)\//;

/** Modules in the format of Node.js are transformed by another plugin, which does not know the copies. */
const declarations = /(?:^|[;}\n])\s*(?:import|export)\s*[\w{*"']/;

export function modelerCopies(): Plugin {
  return {
    name: 'modeler-copies',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || !(modeler.test(importer) || importer.endsWith(COPY))) return undefined;
      const resolved = await this.resolve(source, importer.replace(COPY, ''), { ...options, skipSelf: true });
      return resolved && isCopied(resolved.id) ? { ...resolved, id: `${resolved.id}${COPY}` } : resolved;
    },
  };
}

function isCopied(id: string): boolean {
  return scripts.test(id) && !feelEditor.test(id) && declarations.test(readFileSync(id, 'utf8'));
}
