import {
  ClipboardList,
  FolderTree,
  House,
  Layers,
  ListTodo,
  type LucideIcon,
  Newspaper,
  Search,
  Star,
  Trash2,
} from 'lucide-react'
import type { ComponentType } from 'react'
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
}

export const drawerIds = ['browse', 'search', 'tasks', 'clipboard'] as const
export type DrawerId = (typeof drawerIds)[number]

/** Where one can go from everywhere. A narrow screen has the first ones below, and the others in a menu. */
export const places = [
  { to: '/', word: 'home', icon: House },
  { to: '/browse/$', word: 'browse', icon: FolderTree, drawer: 'browse' },
  { to: '/search', word: 'search', icon: Search, drawer: 'search' },
  { to: '/tasks', word: 'tasks', icon: ListTodo, Count: OpenTaskCount, drawer: 'tasks' },
  { to: '/favorites', word: 'favorites', icon: Star },
  { to: '/collections', word: 'collections', icon: Layers },
  { to: '/clipboard', word: 'clipboard', icon: ClipboardList, Count: ClipboardCount, drawer: 'clipboard' },
  { to: '/sections', word: 'sections', icon: Newspaper },
  { to: '/trash', word: 'trash', icon: Trash2 },
] as const satisfies readonly Place[]

export const placesBelow = 4
