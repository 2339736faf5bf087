import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { useEffect, useRef, useState } from 'react';
import type { ChartProps, Line } from './chart.js';
import styles from './chart.module.css';
import { paletteOf, useIsDark, type Palette } from './colors.js';

const height = 220;

export default function TimeChart({ label, times, lines, format, formatTime }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const formats = useRef({ format, formatTime });
  const [pointed, point] = useState<number | null>(null);
  const isDark = useIsDark();
  useEffect(() => {
    formats.current = { format, formatTime };
  });

  useEffect(() => {
    const element = container.current!;
    const plot = new uPlot(
      optionsOf(lines, paletteOf(element), element.clientWidth, (value) => formats.current.format(value), point),
      [times.map((time) => time / 1_000), ...lines.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, lines, isDark]);

  const shown = pointed !== null && pointed < times.length ? pointed : undefined;
  return (
    <figure className={styles.figure}>
      <div ref={container} role="img" aria-label={label} className={styles.canvas} />
      <figcaption className={styles.legend} aria-hidden>
        <span className={styles.time}>{shown !== undefined && formatTime(times[shown]!)}</span>
        {lines.map((line) => (
          <span key={line.label} className={styles.entry}>
            <Sample line={line} /> {line.label}
            {shown !== undefined && <strong>{valueAt(line, shown, format)}</strong>}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Sample({ line: { color, isDashed } }: { line: Line }) {
  return (
    <svg width="20" height="8" aria-hidden="true">
      <line
        x1="0"
        y1="4"
        x2="20"
        y2="4"
        stroke={`var(--${color})`}
        strokeWidth="2"
        strokeDasharray={isDashed ? '4 3' : undefined}
      />
    </svg>
  );
}

function valueAt({ values }: Line, index: number, format: (value: number) => string): string {
  const value = values[index];
  return value === null || value === undefined ? '–' : format(value);
}

function optionsOf(
  lines: readonly Line[],
  palette: Palette,
  width: number,
  format: (value: number) => string,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const axis = {
    stroke: palette['ink-faint'],
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 64, values: (_plot, splits) => splits.map((split) => (split === 0 ? '0' : format(split))) },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, palette))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

function seriesOf({ label, color, isDashed, values }: Line, palette: Palette): uPlot.Series {
  // A single value between gaps has no line that shows it.
  const hasGaps = values.some((value) => value === null);
  return {
    label,
    stroke: palette[color],
    width: 2,
    points: { show: hasGaps || values.length < 3, size: 5, fill: palette[color] },
    ...(isDashed && { dash: [5, 4] }),
  };
}
