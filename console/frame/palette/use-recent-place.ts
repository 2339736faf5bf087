import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../access/use-session.js';
import { useProject } from '../project/project.js';
import { keyOfPlaces, readPlaces, withPlace } from './recent-places.js';
import type { Place } from './recent-places.js';

/** Where the browser keeps the recent places; undefined without a person. */
export function usePlacesKey(): string | undefined {
  const { id: projectID } = useProject();
  const session = useSession();
  return 'subject' in session ? keyOfPlaces(projectID, session.subject) : undefined;
}

/** Remembers the page, so that the command palette leads back to it. */
export function useRecentPlace(place: Omit<Place, 'path'> | undefined): void {
  const key = usePlacesKey();
  const { pathname } = useLocation();
  const { name, about } = place ?? {};
  useEffect(() => {
    if (key === undefined || name === undefined || about === undefined) return;
    const places = readPlaces(window.localStorage.getItem(key));
    const path = pathname.replace(/^\/projects\/[^/]+\//, '');
    window.localStorage.setItem(key, JSON.stringify(withPlace(places, { path, name, about })));
  }, [key, pathname, name, about]);
}
