import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { useEffect, useRef, useState } from 'react';
import type { ChartProps, Line } from './chart.js';
import styles from './chart.module.css';
import { paletteOf, useIsDark, type Palette } from './colors.js';
import { isolatedValues } from './isolated.js';

const height = 220;

export default function TimeChart({ label, times, lines, increments, format, formatTime }: ChartProps) {
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
      optionsOf(
        { lines, increments, format: (value) => formats.current.format(value) },
        paletteOf(element),
        element.clientWidth,
        point,
      ),
      [times.map((time) => time / 1_000), ...lines.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, lines, increments, isDark]);

  const shown = pointed !== null && pointed < times.length ? pointed : undefined;
  return (
    <figure className={styles.figure}>
      <div ref={container} role="img" aria-label={label} className={styles.canvas} />
      <figcaption className={styles.legend} aria-hidden>
        {lines.map((line) => (
          <span key={line.label} className={styles.entry}>
            <Sample line={line} /> {line.label}
            {shown !== undefined && <strong>{valueAt(line, shown, format)}</strong>}
          </span>
        ))}
        <span className={styles.time}>{shown !== undefined && formatTime(times[shown]!)}</span>
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
  { lines, increments, format }: Pick<ChartProps, 'lines' | 'increments' | 'format'>,
  palette: Palette,
  width: number,
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
    // Steps are whole hours and days in UTC, so ticks are too.
    tzDate: (timeSeconds) => uPlot.tzDate(new Date(timeSeconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, size: 30, values: (_plot, splits) => splits.map(sayTick) },
      {
        ...axis,
        size: 64,
        incrs: [...increments],
        values: (_plot, splits) => splits.map((split) => (split === 0 ? '0' : format(split))),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, palette))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The day, or the hour within it, in UTC. */
function sayTick(timeSeconds: number): string {
  const time = new Date(timeSeconds * 1_000);
  const text = time.toISOString();
  return text.endsWith('T00:00:00.000Z') ? day.format(time) : text.slice(11, 16);
}

function seriesOf({ label, color, isDashed, values }: Line, palette: Palette): uPlot.Series {
  const isolated = isolatedValues(values);
  return {
    label,
    stroke: palette[color],
    width: 2,
    points: { show: isolated.length > 0, filter: () => isolated, size: 5, fill: palette[color] },
    ...(isDashed && { dash: [5, 4] }),
  };
}
