import type { HeatStep } from './heat.js';
import styles from './heat.module.css';

/** The class that has the color of the step in `--heat`. */
export const heatLooks: Readonly<Record<HeatStep, string>> = {
  1: styles.step1!,
  2: styles.step2!,
  3: styles.step3!,
  4: styles.step4!,
};
