/**
 * Gives each modeler its own copies of the modules that it shares with the viewer of diagrams. With shared ones, each
 * screen with a diagram would load what a modeler alone uses of them.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The modules of the modelers, and what ends the ids of their copies. */
const modelers: readonly (readonly [RegExp, string])[] = [
  [/\/console\/features\/modeler\/bpmn-modeler\.ts$/, '?modeler'],
  [/\/console\/features\/modeler\/dmn\/dmn-modeler\.ts$/, '?decisions'],
];

const scripts = /\/(?:node_modules|console\/features\/(?:diagram|modeler))\/.+\.(?:m?js|ts)$/;

/** The FEEL editor and what it consists of. Forms and fields load the same one. */
const feelEditor = /\/node_modules\/(?:@codemirror|@lezer|@bpmn-io\/(?:cm-theme|feel|lang-feel|lezer-feel)[\w-]*)\//;

/** Modules in the format of Node.js are transformed by another plugin, which does not know the copies. */
// oxlint-disable-next-line perdure/linear-patterns -- reads installed packages while the console is built
const declarations = /(?:^|[;}\n])\s*(?:import|export)\s*[\w{*"']/;

export function modelerCopies(): Plugin {
  return {
    name: 'modeler-copies',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const copy = importer && copyOf(importer);
      if (!copy) return undefined;
      const resolved = await this.resolve(source, importer.replace(copy, ''), { ...options, skipSelf: true });
      return resolved && isCopied(resolved.id) ? { ...resolved, id: `${resolved.id}${copy}` } : resolved;
    },
  };
}

/** The end of the ids of what the module imports; undefined outside of modelers. */
function copyOf(importer: string): string | undefined {
  return modelers.find(([module, copy]) => module.test(importer) || importer.endsWith(copy))?.[1];
}

function isCopied(id: string): boolean {
  return scripts.test(id) && !feelEditor.test(id) && declarations.test(readFileSync(id, 'utf8'));
}
