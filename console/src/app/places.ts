import { useQuery } from '@tanstack/react-query'
import {
  ClipboardList,
  FolderTree,
  House,
  Layers,
  ListTodo,
  type LucideIcon,
  Newspaper,
  Search,
  Settings2,
  Star,
  Trash2,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { meQuery } from '../api/documents.ts'
import { managesRecords } from '../api/people.ts'
import { ClipboardCount } from '../features/clipboard/clipboard-count.tsx'
import { OpenTaskCount } from '../features/tasks/open-task-count.tsx'

interface Place {
  readonly to: string
  readonly word: string
  readonly icon: LucideIcon
  /** Says beside the name how much waits there. */
  readonly Count?: ComponentType
  /** What of it can stand beside any page. */
  readonly drawer?: DrawerId
  /** And for who manages records. */
  readonly isForAdministrators?: boolean
}

export const drawerIds = ['browse', 'search', 'tasks', 'clipboard'] as const
export type DrawerId = (typeof drawerIds)[number]

/** Where one can go from everywhere. A narrow screen has the first ones below, and the others in a menu. */
const places = [
  { to: '/', word: 'home', icon: House },
  { to: '/browse/$', word: 'browse', icon: FolderTree, drawer: 'browse' },
  { to: '/search', word: 'search', icon: Search, drawer: 'search' },
  { to: '/tasks', word: 'tasks', icon: ListTodo, Count: OpenTaskCount, drawer: 'tasks' },
  { to: '/favorites', word: 'favorites', icon: Star },
  { to: '/collections', word: 'collections', icon: Layers },
  { to: '/clipboard', word: 'clipboard', icon: ClipboardList, Count: ClipboardCount, drawer: 'clipboard' },
  { to: '/sections', word: 'sections', icon: Newspaper },
  { to: '/trash', word: 'trash', icon: Trash2 },
  { to: '/admin/$', word: 'administration', icon: Settings2, isForAdministrators: true },
] as const satisfies readonly Place[]

export const placesBelow = 4

/** Those of whoever is signed in. */
export function usePlaces() {
  const { data: me } = useQuery(meQuery)
  return me !== undefined && managesRecords(me) ? places : places.filter((place) => !('isForAdministrators' in place))
}
