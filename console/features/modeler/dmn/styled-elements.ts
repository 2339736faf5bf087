/**
 * Marks on what the modeler draws, by style rules for ids: the modeler draws its tables again after each edit, and would
 * remove classes. The rules are in a style sheet of a script, which the content security policy permits.
 */
import type { NodeMarks } from '../../diagram/node-marks.js';

/** @param scope a class around the elements */
export function createStyledElements(scope: string) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let problems: string[] = [];
  let matches: string[] = [];
  const write = () => sheet.replaceSync([...matches, ...problems].join('\n'));
  return {
    mark(marks: ReadonlyMap<string, NodeMarks>) {
      problems = [...marks].map(([id, { errors = 0 }]) => problemRule(scope, id, errors > 0 ? 'red' : 'amber'));
      write();
    },
    markRules(ids: ReadonlySet<string>) {
      matches = [...ids].map((id) => `.${scope} td[data-row-id=${CSS.escape(id)}] { background: var(--green-soft); }`);
      write();
    },
    remove() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    },
  };
}

function problemRule(scope: string, id: string, color: 'red' | 'amber'): string {
  const element = `[data-element-id=${CSS.escape(id)}]`;
  return `.${scope} :is(td, th, div)${element} { box-shadow: inset 0 0 0 2px var(--${color}); }
.${scope} .djs-element${element} .djs-visual > :first-child { stroke: var(--${color}) !important; }`;
}
