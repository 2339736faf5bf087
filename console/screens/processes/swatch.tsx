import { classes } from '../../components/basics/classes.js';
import { heatLooks } from '../../features/diagram/heat-looks.js';
import type { HeatStep } from '../../features/diagram/heat.js';
import styles from './nodes.module.css';

/** The color of a step of the scale. Numbers next to it have the same information. */
export function Swatch({ step }: { step: HeatStep }) {
  return <span className={classes(styles.swatch, heatLooks[step])} aria-hidden />;
}
