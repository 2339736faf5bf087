/** The root of the console: session, query cache, and routes. */
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  createBrowserRouter,
  isRouteErrorResponse,
  Navigate,
  RouterProvider,
  useParams,
  useRouteError,
} from 'react-router';
import type { RouteObject } from 'react-router';
import { ApiProblem } from './frame/api/client.js';
import { SessionGate } from './frame/access/session-gate.js';
import { useSession } from './frame/access/use-session.js';
import { ButtonLink } from './components/basics/button.js';
import { EmptyState, ErrorState } from './components/feedback/states.js';
import { ToastProvider } from './components/feedback/toast.js';
import { firstProject } from './frame/layout/project-switcher.js';
import { Shell } from './frame/layout/shell.js';
import { projectsQuery, useProjects } from './frame/project/project.js';
import { screenAt, screens } from './screens/index.js';

/** Codes of transient errors, which are retried. Other errors are final. */
const passing = new Set(['UNREACHABLE', 'UNAVAILABLE']);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && error instanceof ApiProblem && passing.has(error.code),
      staleTime: 1_000,
    },
  },
  // After any change, everything on the screen is fetched again.
  // A conflict means that the screen is stale.
  mutationCache: new MutationCache({
    onSuccess: () => void queries.invalidateQueries(),
    onError: (error) => {
      if (error instanceof ApiProblem && error.code === 'CONFLICT') void queries.invalidateQueries();
    },
  }),
});

let router: ReturnType<typeof createBrowserRouter> | undefined;

export function Application() {
  return (
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <SessionGate>
          <Screens />
        </SessionGate>
      </ToastProvider>
    </QueryClientProvider>
  );
}

function Screens() {
  const session = useSession();
  const isExpired = session.kind === 'expired';
  useEffect(() => {
    // Repeats the requests that failed because the session had expired.
    if (!isExpired) void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [isExpired]);
  if (session.kind !== 'signed-in' && router === undefined) return null;
  if (router === undefined) askFirst();
  // Created once sign-in has restored the original address.
  router ??= createBrowserRouter(routes(), { basename: '/console' });
  return <RouterProvider router={router} />;
}

/** Starts the first requests of the open page in parallel, before its components render one after the other. */
function askFirst(): void {
  void queries.prefetchQuery(projectsQuery);
  const { pathname, search } = window.location;
  const found = screenAt(pathname);
  void found?.screen.prefetch?.(queries, found.names, new URLSearchParams(search));
}

function routes(): RouteObject[] {
  const ofProject = screens.map<RouteObject>(({ path, load }) => ({
    path,
    errorElement: <ScreenFailure />,
    lazy: async () => ({ Component: (await load()).default }),
  }));
  return [
    {
      element: <Shell />,
      path: '/projects/:projectID',
      HydrateFallback: () => null,
      children: [
        { index: true, element: <Navigate to="dashboard" replace /> },
        ...ofProject,
        { path: '*', element: <NoSuchScreen /> },
      ],
    },
    { path: '*', element: <Entrance /> },
  ];
}

/** Redirects to a project. Without one, the shell shows a notice. */
function Entrance() {
  const projects = useProjects();
  const project = projects.data && firstProject(projects.data);
  return project ? <Navigate to={`/projects/${encodeURIComponent(project.id)}/dashboard`} replace /> : <Shell />;
}

function NoSuchScreen() {
  const { projectID = '' } = useParams();
  return (
    <EmptyState
      title="Page not found"
      action={<ButtonLink to={`/projects/${encodeURIComponent(projectID)}/dashboard`}>Dashboard</ButtonLink>}
    >
      The link may be from another version of the console.
    </EmptyState>
  );
}

function ScreenFailure() {
  const error = useRouteError();
  return (
    <ErrorState
      error={isRouteErrorResponse(error) ? new Error(error.statusText) : error}
      retry={() => window.location.reload()}
    />
  );
}
