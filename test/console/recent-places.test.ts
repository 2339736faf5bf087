import { expect, it } from 'vitest';
import { matches } from '../../console/frame/palette/matching.js';
import { forgetPlaces, keyOfPlaces, readPlaces, withPlace } from '../../console/frame/palette/recent-places.js';

const place = (path: string, name = path) => ({ path, name, about: 'Process' });

it('has the last place first, each place once, and eight at most', () => {
  const visited = Array.from({ length: 12 }, (_, index) => place(`processes/${index}`));
  const places = visited.reduce<ReturnType<typeof readPlaces>>(withPlace, []);
  expect(places.map(({ path }) => path)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((index) => `processes/${index}`));
  expect(withPlace(places, place('processes/4', 'renamed'))[0]).toEqual(place('processes/4', 'renamed'));
  expect(withPlace(places, place('processes/4'))).toHaveLength(8);
});

it('keeps the beginning of a name without end', () => {
  expect(withPlace([], place('x', 'n'.repeat(100_000)))[0]!.name).toHaveLength(200);
});

it.each(['{', '7', '[null, { "path": 1 }]', null])('reads no place from %s', (stored) => {
  expect(readPlaces(stored)).toEqual([]);
});

it('reads the places that it stored', () => {
  expect(readPlaces(JSON.stringify([place('a'), 7, place('b')]))).toEqual([place('a'), place('b')]);
});

it('forgets the places of every project and nothing else', () => {
  const stored = new Map([
    [keyOfPlaces('demo', 'ann'), '[]'],
    ['perdure.theme', 'dark'],
    [keyOfPlaces('other', 'ann'), '[]'],
  ]);
  forgetPlaces({
    length: stored.size,
    key: (index) => [...stored.keys()][index] ?? null,
    removeItem: (key) => void stored.delete(key),
  });
  expect([...stored.keys()]).toEqual(['perdure.theme']);
});

it('matches words in any order and case', () => {
  expect(matches('sub event', 'Event subscriptions')).toBe(true);
  expect(matches('sub events', 'Event subscription')).toBe(false);
});
