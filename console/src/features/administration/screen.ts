import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Language } from '../../words/words.ts'

/** What the screens are about, in the order in which they stand. */
export const screenGroups = ['people', 'content', 'work', 'access', 'server'] as const
export type ScreenGroup = (typeof screenGroups)[number]

/** A screen of the administration, loaded when it is first visited. */
export interface AdministrationScreen {
  /** Its address is `admin/{id}`; what follows it belongs to the screen. */
  readonly id: string
  readonly group: ScreenGroup
  readonly icon: LucideIcon
  readonly name: Readonly<Record<Language, string>>
  /** Also for who manages records, and nothing else here. */
  readonly isForRecordManagers?: boolean
  load(): Promise<{ readonly Screen: ComponentType }>
}
