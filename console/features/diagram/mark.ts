/** The small signs on nodes. They are built as elements, for the viewer would take text as HTML. */
import styles from './diagram.module.css';

const kinds = {
  token: { look: styles.token!, one: 'token', many: 'tokens', sign: '' },
  instance: { look: styles.token!, one: 'instance', many: 'instances', sign: '' },
  paused: { look: styles.paused!, one: 'paused token', many: 'paused tokens', sign: '‖ ' },
  incident: { look: styles.incident!, one: 'incident', many: 'incidents', sign: '! ' },
  error: { look: styles.incident!, one: 'error', many: 'errors', sign: '! ' },
  warning: { look: styles.warning!, one: 'warning', many: 'warnings', sign: '! ' },
} as const;

export function drawMark(kind: keyof typeof kinds, count: number): HTMLElement {
  const { look, one, many, sign } = kinds[kind];
  const element = document.createElement('span');
  element.className = `${styles.mark} ${look}`;
  const text = count.toLocaleString('en');
  element.textContent = `${sign}${text}`;
  element.title = `${text} ${count === 1 ? one : many}`;
  element.dataset['mark'] = kind;
  return element;
}
