import { FolderTree, House, type LucideIcon, Search } from 'lucide-react'

interface Place {
  readonly to: string
  readonly word: string
  readonly icon: LucideIcon
}

/** Where one can go from everywhere. A narrow screen has the first ones below, and the others in a menu. */
export const places = [
  { to: '/', word: 'home', icon: House },
  { to: '/browse/$', word: 'browse', icon: FolderTree },
  { to: '/search', word: 'search', icon: Search },
] as const satisfies readonly Place[]

export const placesBelow = 4
