/** Coverage as one HTML file with the diagrams, which needs no network. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describeFailure, type CoverageReport } from '@perdure/testkit';
import { readableText } from '@perdure/xml/readable-text.js';
import { shown } from './lines.js';
import type { TestRun } from './run.js';

const require = createRequire(import.meta.url);

/** The viewer that the console uses too. Literal names, so that tools see which files are needed. */
const viewer = {
  script: () => require.resolve('bpmn-js/dist/bpmn-viewer.production.min.js'),
  diagram: () => require.resolve('bpmn-js/dist/assets/diagram-js.css'),
  bpmn: () => require.resolve('bpmn-js/dist/assets/bpmn-js.css'),
};

/** A longer word would cover other nodes. */
const MAX_LABEL_WIDTH = 240;

/**
 * Draws the diagrams in the page; it gets the models as JSON. Modelers size labels of events and flows for Arial, which many
 * systems do not have, and the viewer breaks words that do not fit, so each such label gets the width of its longest word.
 */
const DRAW = `
const pen = document.createElement('canvas').getContext('2d');
function widen(label, { fontSize, fontFamily }) {
  pen.font = 'normal ' + fontSize + 'px ' + fontFamily;
  const words = (label.businessObject.name || '').split(/\\s+/);
  const longest = Math.ceil(Math.max(...words.map((word) => pen.measureText(word).width)));
  const width = Math.max(label.width, Math.min(longest, ${MAX_LABEL_WIDTH}));
  label.x -= (width - label.width) / 2;
  label.width = width;
}
for (const place of document.querySelectorAll('[data-model]')) {
  const { xml, covered, missed } = models[place.dataset.model];
  const viewer = new BpmnJS({ container: place });
  viewer.on('shape.add', ({ element }) => {
    if (element.labelTarget) widen(element, viewer.get('textRenderer').getExternalStyle());
  });
  viewer.importXML(xml).then(() => {
    const canvas = viewer.get('canvas');
    const elements = viewer.get('elementRegistry');
    for (const [ids, marker] of [[covered, 'covered'], [missed, 'missed']])
      for (const id of ids) if (elements.get(id)) canvas.addMarker(id, marker);
    const box = canvas.viewbox().inner;
    place.style.height = Math.min(900, Math.max(120, box.height + 60)) + 'px';
    canvas.resized();
    canvas.zoom('fit-viewport', 'auto');
  }, (error) => { place.textContent = 'The diagram cannot be drawn: ' + error.message; });
}`;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
pre { overflow: auto; background: #f5f6f8; padding: .6rem; } .number { text-align: right; }
[data-model] { border: 1px solid #d0d5db; height: 400px; }
.covered .djs-visual > :is(rect, circle, polygon, path:first-child) { stroke: #18794e !important; }
.covered:not(.djs-connection) .djs-visual > :is(rect, circle, polygon):first-child { fill: #ddf3e4 !important; }
.missed .djs-visual > :is(rect, circle, polygon, path:first-child) { stroke: #c62a2f !important; stroke-dasharray: 6 3; }
.missed:not(.djs-connection) .djs-visual > :is(rect, circle, polygon):first-child { fill: #ffe5e5 !important; }`;

export function htmlReport({ scenarios, coverage, models }: TestRun): string {
  const report = coverage.report();
  const drawn = report.files.filter(({ file }) => isDrawn(models.get(file) ?? ''));
  const data = Object.fromEntries(
    drawn.map(({ file, missed }) => [
      file,
      { xml: readableText(models.get(file)!), covered: coverage.reachedIn(file), missed },
    ]),
  );
  const rows = scenarios.map(
    ({ file, name, failure }) =>
      `<tr><td>${failure ? '<strong>failed</strong>' : 'passed'}<td>${escape(name)}<td>${escape(file)}${
        failure ? `<pre>${escape([...describeFailure(failure), failure.state].join('\n'))}</pre>` : ''
      }`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>Scenarios</title><style>${text(viewer.diagram())}${text(viewer.bpmn())}${STYLE}</style></head><body>
<h1>Scenarios</h1><table>${rows.join('\n')}</table>
<h2>Coverage: ${shown(report.percent)} %</h2>
<p>${report.covered} of ${report.total} nodes, sequence flows, and decision rules. Dashed red: never reached.</p>
${report.files.map((file) => section(file, file.file in data)).join('\n')}
${drawn.length > 0 ? scripts(data) : ''}</body></html>
`;
}

function section({ file, covered, total, missed }: CoverageReport['files'][number], hasDrawing: boolean): string {
  const never =
    missed.length === 0 ? '' : `<p>Never reached: ${missed.map((id) => `<code>${escape(id)}</code>`).join(', ')}</p>`;
  const drawing = hasDrawing ? `<div data-model="${escape(file)}"></div>` : '';
  return `<h3>${escape(file)}: ${covered} of ${total}</h3>${drawing}${never}`;
}

/** `<` is escaped, so that no model can end the script. */
function scripts(data: object): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script>${text(viewer.script()).replaceAll('</script', '<\\/script')}</script>
<script>const models = ${json};${DRAW}</script>`;
}

function isDrawn(model: string): boolean {
  return /<(?:[\w.-]+:)?BPMNPlane\b/.test(model);
}

function text(path: string): string {
  return readFileSync(path, 'utf8');
}

function escape(given: string): string {
  return given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
