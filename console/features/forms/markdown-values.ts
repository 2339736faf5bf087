/**
 * The values of variables in the Markdown of a form. They come from customers and other systems, and would become
 * headings, links, and images of the form's author.
 */
import { FeelersTemplating } from '@bpmn-io/form-js-viewer';

interface Component {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly components?: readonly Component[];
}

type Evaluate = (template: string, context?: object, options?: object) => unknown;

/** A module of the viewer. Labels and others do not become Markdown, so their values stay as they are. */
export function markdownValuesModule(schema: object): object {
  const markdown = new Set(markdownIn(schema));
  const templating = new FeelersTemplating();
  const evaluate = templating.evaluate.bind(templating) as Evaluate;
  (templating as { evaluate: Evaluate }).evaluate = (template, context, options) =>
    evaluate(template, context, markdown.has(template) ? { ...options, sanitizer: escapeMarkdown } : options);
  return { templating: ['value', templating] };
}

function markdownIn({ type, text, components }: Component): string[] {
  const own = type === 'text' && typeof text === 'string' ? [text] : [];
  return [...own, ...(Array.isArray(components) ? components.flatMap(markdownIn) : [])];
}

/** As character references, which CommonMark never takes for structure. */
function escapeMarkdown(value: unknown): string {
  return String(value).replace(/[^\p{L}\p{M}\p{N} \n]/gu, (character) => `&#${character.codePointAt(0)};`);
}
