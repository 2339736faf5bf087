/**
 * The OpenAPI document as one HTML page, without scripts or external resources. The page needs no permission beyond
 * showing text, so it opens no attack surface, and it works without a network.
 */
import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly 'x-required-role': string;
  readonly parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: Json }[];
  readonly requestBody?: { required: boolean; content: Readonly<Record<string, { schema: Json }>> };
  readonly responses: Readonly<
    Record<string, { description: string; content?: Readonly<Record<string, { schema: Json }>> }>
  >;
}

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
}

export interface DocsPage {
  readonly html: string;
  /** Allows only the page's own style. */
  readonly contentSecurityPolicy: string;
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 0 auto; padding: 1rem; }
code, pre, summary { font-family: ui-monospace, monospace; font-size: 0.9rem; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8886; border-radius: 4px; }
details { border: 1px solid #8886; border-radius: 4px; margin: 0.5rem 0; padding: 0.5rem 0.75rem; }
summary { cursor: pointer; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
.method { display: inline-block; min-width: 4.5rem; font-weight: bold; }
.role { float: right; opacity: 0.75; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export function createDocsPage(document: Json): DocsPage {
  const info = document['info'] as { title: string; summary: string; description: string };
  const placed = operationsOf(document);
  const tags = [...new Set(placed.flatMap(({ operation }) => operation.tags))];
  const schemas = (document['components'] as { schemas: Record<string, Json> }).schemas;
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(info.title)} API</title><style>${style}</style></head><body>`,
    `<h1>${text(info.title)} API</h1><p>${text(info.summary)}</p><p>${text(info.description)}</p>`,
    '<p>The same as a document for tools: <a href="/openapi.json">/openapi.json</a>. ',
    'With a token, any operation can be called as in this line:</p>',
    '<pre>curl -H "Authorization: Bearer $TOKEN" http://localhost:8080/projects</pre>',
    `<nav><ul>${tags.map((tag) => `<li><a href="#${anchor(tag)}">${text(tag)}</a></li>`).join('')}<li><a href="#schemas">schemas</a></li></ul></nav>`,
    ...tags.map((tag) =>
      section(
        tag,
        placed.filter(({ operation }) => operation.tags.includes(tag)),
      ),
    ),
    '<h2 id="schemas">schemas</h2>',
    ...Object.entries(schemas).map(
      ([name, schema]) =>
        `<details id="schema-${anchor(name)}"><summary>${text(name)}</summary>${json(schema)}</details>`,
    ),
    '</body></html>',
  ].join('\n');
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

function operationsOf(document: Json): Placed[] {
  const paths = document['paths'] as Record<string, Record<string, DescribedOperation>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function section(tag: string, placed: readonly Placed[]): string {
  return `<h2 id="${anchor(tag)}">${text(tag)}</h2>${placed.map(describe).join('\n')}`;
}

function describe({ method, path, operation }: Placed): string {
  const body = operation.requestBody;
  return [
    `<details id="${anchor(operation.operationId)}"><summary><span class="method">${method}</span>${text(path)}`,
    `<span class="role">${text(operation['x-required-role'])}</span></summary>`,
    `<p><strong>${text(operation.operationId)}</strong>: ${text(operation.summary)}</p>`,
    operation.description === undefined ? '' : `<p>${text(operation.description)}</p>`,
    parameterTable(operation),
    body === undefined ? '' : `<h3>Body${body.required ? '' : ' (optional)'}</h3>${contents(body.content)}`,
    '<h3>Answers</h3>',
    ...Object.entries(operation.responses).map(([status, response]) => answer(status, response)),
    '</details>',
  ].join('');
}

function parameterTable({ parameters }: DescribedOperation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(place)}${required ? ', required' : ''}</td><td><code>${text(JSON.stringify(schema))}</code> ${text(description ?? '')}</td></tr>`,
  );
  return `<h3>Parameters</h3><table>${rows.join('')}</table>`;
}

function answer(status: string, { description, content }: DescribedOperation['responses'][string]): string {
  const isSuccess = status.startsWith('2');
  return `<p><code>${text(status)}</code> ${text(description)}</p>${isSuccess && content !== undefined ? contents(content) : ''}`;
}

function contents(content: Readonly<Record<string, { schema: Json }>>): string {
  return Object.values(content)
    .map(({ schema }) => json(schema))
    .join('');
}

function json(schema: Json): string {
  return `<pre>${text(JSON.stringify(schema, null, 2)).replace(/#\/components\/schemas\/(\w+)/g, (_, name: string) => `<a href="#schema-${anchor(name)}">${name}</a>`)}</pre>`;
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function text(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
