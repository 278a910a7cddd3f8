import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { documentQuery, meQuery, recentQuery } from '../api/documents.ts'
import { type DocumentTabId, documentTabIds } from '../features/document/tab-ids.ts'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

interface RouterContext {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: NotFound,
  loader: ({ context }) => context.queries.ensureQueryData(meQuery),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: ({ context }) => void context.queries.prefetchQuery(recentQuery),
  component: lazyRouteComponent(() => import('../features/home/home.tsx'), 'Home'),
})

/** What of a document is looked at, and how a folder is sorted: an address leads back to it. */
export interface BrowseSearch {
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
  readonly tab?: DocumentTabId
}

const browse = createRoute({
  getParentRoute: () => root,
  path: '/browse/$',
  validateSearch: ({ sort, order, tab }: { sort?: unknown; order?: unknown; tab?: unknown }): BrowseSearch => ({
    ...(typeof sort === 'string' && /^[a-z]+:[A-Za-z]+$/.test(sort) && { sort }),
    ...((order === 'asc' || order === 'desc') && { order }),
    ...(documentTabIds.some((one) => one === tab) && { tab: tab as DocumentTabId }),
  }),
  loader: ({ context, params }) => void context.queries.prefetchQuery(documentQuery({ path: `/${params._splat ?? ''}` })),
  component: lazyRouteComponent(() => import('../features/browse/browse.tsx'), 'Browse'),
})

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ words }: { words?: unknown }): { readonly words?: string } =>
    typeof words === 'string' && words !== '' ? { words: words.slice(0, 500) } : {},
  component: lazyRouteComponent(() => import('../features/search/search-page.tsx'), 'SearchPage'),
})

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([home, browse, search]),
    basepath: new URL(document.baseURI).pathname,
    context: { queries },
    defaultPreload: 'intent',
    // What was fetched is kept by the queries.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
