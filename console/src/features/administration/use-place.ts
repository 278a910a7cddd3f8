import { getRouteApi } from '@tanstack/react-router'

/** What an address of the administration may say beside the screen: each screen reads those that it knows. */
const searchNames = ['q', 'kind', 'state', 'user', 'from', 'until', 'show'] as const
export type SearchName = (typeof searchNames)[number]
export type PlaceSearch = { readonly [Name in SearchName]?: string | undefined }

const longest = 300

export function parsePlaceSearch(sent: { readonly [name: string]: unknown }): PlaceSearch {
  const texts = searchNames.map((name) => [name, String(sent[name] ?? '')] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== '' && text.length <= longest))
}

const route = getRouteApi('/admin/$')

/** Where one is in a screen: what follows its name in the address, and what the address says beside it. */
export function usePlace() {
  const navigate = route.useNavigate()
  const [screen = '', ...rest] = (route.useParams()._splat ?? '').split('/')
  const search = route.useSearch()
  return {
    screen,
    /** Such as the name of what is looked at. */
    rest: rest.map(decodeURIComponent).join('/'),
    search,
    /** Another thing of the same or of another screen; kept when one is there. `ignoreBlocker` leaves what is typed where one is. */
    goTo: (path: string, next: PlaceSearch = {}, options: { readonly ignoreBlocker?: boolean } = {}) =>
      navigate({ params: { _splat: path }, search: next, ...options }),
    /** The same place with another filter, which back leads over. */
    change: (next: PlaceSearch) => void navigate({ search: { ...search, ...next }, replace: true }),
  }
}
