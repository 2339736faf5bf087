/** The things that a person opened last in a project: instances, tasks, processes. Stored in this browser. */

export interface Place {
  /** Below `/projects/{projectID}/`. */
  path: string;
  name: string;
  /** Its kind, or whose it is. */
  about: string;
}

const maxPlaces = 8;
const maxNameLength = 200;
const prefix = 'perdure.recent.';

/** One person does not see what another opened in the same browser. */
export function keyOfPlaces(projectID: string, subject: string): string {
  return `${prefix}${projectID}.${subject}`;
}

/** Ignores what is not a place: another version of the console may have stored it. */
export function readPlaces(stored: string | null): readonly Place[] {
  try {
    const places: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(places) ? places.filter(isPlace).slice(0, maxPlaces) : [];
  } catch {
    return [];
  }
}

/** Puts the place first. A place is there once, with its newest name. */
export function withPlace(places: readonly Place[], place: Place): readonly Place[] {
  const visited = { ...place, name: place.name.slice(0, maxNameLength) };
  return [visited, ...places.filter(({ path }) => path !== place.path)].slice(0, maxPlaces);
}

/** Of the browser, or of a test. */
interface StoredTexts {
  readonly length: number;
  key(index: number): string | null;
  removeItem(key: string): void;
}

/** Names can be personal data, so they go when the session ends. */
export function forgetPlaces(storage: StoredTexts): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) if (key?.startsWith(prefix)) storage.removeItem(key);
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false;
  const { path, name, about } = value as Partial<Record<keyof Place, unknown>>;
  return [path, name, about].every((text) => typeof text === 'string');
}
