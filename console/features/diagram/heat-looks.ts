import type { HeatStep } from './heat.js';
import styles from './heat.module.css';

/** Classes that set `--heat` to the color of a step. */
export const heatLooks: Readonly<Record<HeatStep, string>> = {
  1: styles.step1!,
  2: styles.step2!,
  3: styles.step3!,
  4: styles.step4!,
};
