import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter } from '@tanstack/react-router'
import { documentQuery, meQuery } from '../api/documents.ts'
import { piecesQuery } from '../api/pieces.ts'
import { parsePlaceSearch } from '../features/administration/use-place.ts'
import { type DocumentTabId, parseTabId } from '../features/document/tab-ids.ts'
import { type Layout, layouts } from '../features/listing/kept-view.ts'
import { parseSearch, sortIn } from '../features/search/search-address.ts'
import { type DueSpan, dueSpans } from '../features/tasks/due.ts'
import { AdministrationGate } from './administration-gate.tsx'
import { NotFound } from './not-found.tsx'
import { ScreenProblem, screen } from './screen.tsx'
import { Shell } from './shell.tsx'

interface RouterContext {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: NotFound,
  // What plugins add is asked for beside it, so that nothing waits for it longer; without it the console is as it is.
  loader: async ({ context: { queries } }) => {
    const pieces = queries.prefetchQuery(piecesQuery)
    await queries.ensureQueryData(meQuery)
    await pieces
  },
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: screen(() => import('../features/home/home.tsx'), 'Home'),
})

/** What of a document is looked at, and how a folder is sorted: an address leads back to it. */
export interface BrowseSearch {
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
  readonly layout?: Layout
  /** Only those whose titles have this. */
  readonly filter?: string
  readonly tab?: DocumentTabId
  /** Which version is looked at, and with which it is compared. */
  readonly version?: string
  readonly with?: string
  /** Of a file that has several. */
  readonly page?: number
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

const browse = createRoute({
  getParentRoute: () => root,
  path: '/browse/$',
  validateSearch: ({
    sort,
    order,
    tab,
    filter,
    layout,
    version,
    with: other,
    page,
  }: {
    readonly [name: string]: unknown
  }): BrowseSearch => ({
    ...sortIn({ sort, order }),
    ...(typeof filter === 'string' && filter !== '' && { filter: filter.slice(0, 200) }),
    ...(layouts.some((one) => one === layout) && { layout: layout as Layout }),
    ...(parseTabId(tab) && { tab: parseTabId(tab) }),
    ...(isId(version) && { version }),
    ...(isId(version) && isId(other) && { with: other }),
    ...(Number.isInteger(page) && (page as number) > 0 && { page: page as number }),
  }),
  loader: ({ context, params }) => void context.queries.prefetchQuery(documentQuery({ path: `/${params._splat ?? ''}` })),
  component: screen(() => import('../features/browse/browse.tsx'), 'Browse'),
})

/** A document wherever it lies: mails and other programs know it by its id. */
const byId = createRoute({
  getParentRoute: () => root,
  path: '/doc/$id',
  loader: ({ context, params }) => void context.queries.prefetchQuery(documentQuery({ id: params.id })),
  component: screen(() => import('../features/browse/document-by-id.tsx'), 'DocumentById'),
})

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: parseSearch,
  component: screen(() => import('../features/search/search-page.tsx'), 'SearchPage'),
})

const favorites = createRoute({
  getParentRoute: () => root,
  path: '/favorites',
  component: screen(() => import('../features/favorites/favorites-page.tsx'), 'FavoritesPage'),
})

const collections = createRoute({
  getParentRoute: () => root,
  path: '/collections',
  component: screen(() => import('../features/collections/collections-page.tsx'), 'CollectionsPage'),
})

const clipboard = createRoute({
  getParentRoute: () => root,
  path: '/clipboard',
  component: screen(() => import('../features/clipboard/clipboard-page.tsx'), 'ClipboardPage'),
})

const sections = createRoute({
  getParentRoute: () => root,
  path: '/sections',
  component: screen(() => import('../features/publishing/sections-page.tsx'), 'SectionsPage'),
})

const tagged = createRoute({
  getParentRoute: () => root,
  path: '/tags/$tag',
  component: screen(() => import('../features/tags/tagged-page.tsx'), 'TaggedPage'),
})

const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$name',
  component: screen(() => import('../features/people/person-page.tsx'), 'PersonPage'),
})

const trash = createRoute({
  getParentRoute: () => root,
  path: '/trash',
  validateSearch: ({ of }: { of?: unknown }): { readonly of?: 'all' } => (of === 'all' ? { of } : {}),
  component: screen(() => import('../features/trash/trash-page.tsx'), 'TrashPage'),
})

/** Which tasks are listed, and which of them is looked at. */
interface TasksSearch {
  readonly view?: 'mine' | 'started'
  readonly due?: DueSpan
  readonly task?: string
}

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: ({ view, due, task }: { view?: unknown; due?: unknown; task?: unknown }): TasksSearch => ({
    ...(view === 'started' && { view }),
    ...(dueSpans.some((one) => one === due) && { due: due as DueSpan }),
    ...(typeof task === 'string' && task !== '' && { task: task.slice(0, 100) }),
  }),
  component: screen(() => import('../features/tasks/tasks-page.tsx'), 'TasksPage'),
})

/** A page that a plugin adds. */
const pluginPage = createRoute({
  getParentRoute: () => root,
  path: '/plugins/$plugin/$page/$',
  component: screen(() => import('../features/pieces/piece-page.tsx'), 'PiecePage'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: screen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
})

/** What its screens are is data, which is loaded with the first of them. */
const administration = createRoute({
  getParentRoute: () => root,
  path: '/admin/$',
  validateSearch: parsePlaceSearch,
  component: AdministrationGate,
})

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      home,
      browse,
      byId,
      search,
      tasks,
      favorites,
      collections,
      clipboard,
      sections,
      tagged,
      person,
      trash,
      pluginPage,
      profile,
      administration,
    ]),
    basepath: new URL(document.baseURI).pathname,
    context: { queries },
    defaultErrorComponent: ScreenProblem,
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
