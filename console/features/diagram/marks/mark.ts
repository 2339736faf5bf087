/** Marks on nodes. They are built as elements, because the viewer would interpret text as HTML. */
import type { NodeMarks } from '../node-marks.js';
import styles from '../diagram.module.css';

/** As in the style sheet. */
const MIN_WIDTH = 22;
const PADDING = 16;
const CHARACTER_WIDTH = 8;

const kinds = {
  token: { look: styles.token!, one: 'token', many: 'tokens', sign: '' },
  instance: { look: styles.token!, one: 'instance', many: 'instances', sign: '' },
  paused: { look: styles.paused!, one: 'paused token', many: 'paused tokens', sign: '‖ ' },
  incident: { look: styles.incident!, one: 'incident', many: 'incidents', sign: '! ' },
  late: { look: styles.incident!, one: 'over target', many: 'over target', sign: '! ' },
  error: { look: styles.incident!, one: 'error', many: 'errors', sign: '! ' },
  failed: { look: styles.incident!, one: 'scenario failed here', many: 'scenarios failed here', sign: '✗ ' },
  warning: { look: styles.warning!, one: 'warning', many: 'warnings', sign: '! ' },
} as const;

export function drawMark(kind: keyof typeof kinds, count: number): HTMLElement {
  const { look, one, many, sign } = kinds[kind];
  const text = count.toLocaleString('en');
  return draw(kind, look, `${sign}${text}`, `${text} ${count === 1 ? one : many}`);
}

const tones = { plain: styles.token!, better: styles.better!, worse: styles.worse! };

export function drawLabel({ text, title, tone }: NonNullable<NodeMarks['label']>): HTMLElement {
  return draw('label', tones[tone], text, title);
}

function draw(kind: string, look: string, text: string, title: string): HTMLElement {
  const element = document.createElement('span');
  element.className = `${styles.mark} ${look}`;
  element.textContent = text;
  element.title = title;
  element.dataset['mark'] = kind;
  return element;
}

/** About the width, in the units of the diagram. Digits have the same width. */
export function widthOf({ textContent }: HTMLElement): number {
  return Math.max(MIN_WIDTH, PADDING + CHARACTER_WIDTH * (textContent ?? '').length);
}
