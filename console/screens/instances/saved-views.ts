/** Named filters, orders, and columns of the list, stored in this browser for each project. */

export interface SavedView {
  name: string;
  /** Query of the address, without `?` and page. */
  query: string;
}

/** The part of an address that a view keeps, in the order of the names. */
export function viewQuery(names: readonly string[], get: (name: string) => string | undefined): string {
  const given = names.flatMap((name) => {
    const value = get(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  return new URLSearchParams(given).toString();
}

/** The change of an address that shows a view. */
export function showing(names: readonly string[], { query }: SavedView): Readonly<Record<string, string | undefined>> {
  const values = new URLSearchParams(query);
  return Object.fromEntries([...names.map((name) => [name, values.get(name) ?? undefined]), ['page', undefined]]);
}

/** Ignores what is not a view: another version of the console may have stored it. */
export function readViews(stored: string | null): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

/** Replaces the view with the same name, or adds it at the end. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return views.some(({ name }) => name === view.name)
    ? views.map((one) => (one.name === view.name ? view : one))
    : [...views, view];
}

/** The view gets the place of another view with its new name. */
export function renamed(views: readonly SavedView[], from: string, to: string): readonly SavedView[] {
  return views
    .filter(({ name }) => name === from || name !== to)
    .map((one) => (one.name === from ? { ...one, name: to } : one));
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as SavedView).name === 'string' &&
    typeof (value as SavedView).query === 'string'
  );
}
