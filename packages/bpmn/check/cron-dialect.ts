/**
 * Cron expressions of timers by the dialect of the file (ADR 24). Those of other engines are Quartz's, which numbers
 * weekdays differently, may have a year, and runs in the zone of the server.
 */
import { FOREIGN_ENGINES, ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { fromQuartz, type QuartzCron } from '@perdure/lib/quartz-cron.js';
import type { SourceElement } from '@perdure/engine/model/source.js';
import { isJuel } from '@perdure/juel/text.js';
import { localName } from '@perdure/xml/names.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { below, BpmnElement } from '../read/document.js';

/** `either` has extensions of both, and nothing else tells. */
export type CronDialect = 'own' | 'quartz' | 'either';

/** Camunda Modeler's note of the engine that a file is for. */
const PLATFORMS: { readonly [name: string]: CronDialect } = { 'Camunda Cloud': 'own', 'Camunda Platform': 'quartz' };

/**
 * The cycle of the timer `event` as the engine reads it. Reports what changes and what has no equivalent; undefined, with
 * an error, if nothing is certain.
 * @param isExpression whether the cycle is computed when the timer starts
 */
export function cycleOf(
  event: SourceElement,
  { text, isExpression, dialect }: { text: string; isExpression: boolean; dialect: CronDialect },
  problems: Diagnostics,
): string | undefined {
  if (dialect === 'own') return text;
  if (isExpression) {
    problems.warning(
      event.id,
      `The timer cycle ${JSON.stringify(text)} is computed. A cron expression that it returns is not translated: it needs six fields, weekdays by name (numbers are 0 to 7 from Sunday here, and 1 to 7 there), and runs in UTC.`,
    );
    return text;
  }
  const cron = fromQuartz(text);
  if (!cron) return text;
  return dialect === 'either' ? ofEither(event, text, cron, problems) : ofQuartz(event, text, cron, problems);
}

function ofQuartz(event: SourceElement, text: string, cron: QuartzCron, problems: Diagnostics): string | undefined {
  if (cron.kind === 'refused') {
    problems.error(event.id, `The timer cycle ${JSON.stringify(text)} is a cron expression of Quartz: ${cron.reason}`);
    return undefined;
  }
  const notes = [
    ...(cron.text === text ? [] : [`runs as ${JSON.stringify(cron.text)}`]),
    ...(cron.zoned ? ['runs in UTC, but there in the time zone of the server: adjust its hours'] : []),
  ];
  if (notes.length > 0)
    problems.warning(
      event.id,
      `The timer cycle ${JSON.stringify(text)}, a cron expression of Quartz, ${notes.join(', and ')}`,
    );
  return cron.text;
}

function ofEither(event: SourceElement, text: string, cron: QuartzCron, problems: Diagnostics): string | undefined {
  if (!cron.numbersWeekdays) return text;
  problems.error(
    event.id,
    `The weekdays of the timer cycle ${JSON.stringify(text)} are numbers, and the file has extensions of engines that count them differently: 1 is Monday here and Sunday there. Write names, such as MON-FRI.`,
  );
  return undefined;
}

/** The dialect of the file of `element`: by Camunda Modeler's note, otherwise by the extensions that the file uses. */
export function cronDialectOf(element: SourceElement): CronDialect {
  if (!(element instanceof BpmnElement)) return 'own';
  const root = rootOf(element);
  const platform = root.foreignAttributes().find(([name]) => localName(name) === 'executionPlatform')?.[1];
  if (platform !== undefined && Object.hasOwn(PLATFORMS, platform)) return PLATFORMS[platform]!;
  const declared = new Set([...root.declaredNamespaces(), ...element.declaredNamespaces()]);
  const declaresEngine = FOREIGN_ENGINES.some((engine) => declared.has(engine));
  if (!declaresEngine) return declared.has(ZEEBE) || !usesJuel(root) ? 'own' : 'quartz';
  const used = usedNamespaces(root);
  const usesEngine = FOREIGN_ENGINES.some((engine) => used.has(engine));
  if (usesEngine) return used.has(ZEEBE) ? 'either' : 'quartz';
  return declared.has(ZEEBE) ? 'own' : 'quartz';
}

/** Only engines with cron expressions of Quartz have expressions in JUEL. */
function usesJuel(root: BpmnElement): boolean {
  return below(root).some(({ type, text }) => /^(?:formalE|e)xpression$/.test(type) && isJuel(text));
}

/** Namespaces of the attributes and extension elements of `root` and everything below it. */
function usedNamespaces(root: BpmnElement): Set<string> {
  const used = new Set<string>();
  for (const element of below(root)) {
    const namespaces = [
      ...element.foreignAttributes().map(([name]) => element.namespaceOfAttribute(name)),
      ...element.extensions().map(({ namespace }) => namespace),
    ];
    for (const namespace of namespaces) if (namespace !== undefined) used.add(namespace);
  }
  return used;
}

function rootOf(element: BpmnElement): BpmnElement {
  let root = element;
  while (root.parent) root = root.parent;
  return root;
}
