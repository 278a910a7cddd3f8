import type { components } from '../../api/entities.ts'
import { useFormats } from '../../words/formats.ts'
import { usePermissionWords } from './words.ts'

export type Ace = components['schemas']['ShownAce']

/** Those that anybody gives, and those that features of the server give by themselves. */
const wellKnown = [
  'Read',
  'ReadWrite',
  'Write',
  'Everything',
  'ReadRemove',
  'Remove',
  'RemoveChildren',
  'AddChildren',
  'Browse',
  'WriteProperties',
  'WriteSecurity',
  'WriteLifeCycle',
  'Version',
  'Unlock',
  'ManageWorkflows',
  'ReadCanCollect',
  'CanAskForPublishing',
  'Comment',
  'Moderate',
  'DataVisualization',
  'MakeRecord',
  'SetRetention',
  'ManageLegalHold',
] as const

/** What an entry of a list of rights means: what somebody may do, and for how long. */
export function useAceWords() {
  const say = usePermissionWords()
  const { date } = useFormats()
  const permissionIn = (permission: string) => {
    const known = wellKnown.find((one) => one === permission)
    return known === undefined ? say('other', { permission }) : say(known)
  }
  const may = ({ permission, granted }: Pick<Ace, 'permission' | 'granted'>) => {
    const given = permissionIn(permission)
    return granted ? given : say('denied', { permission: given })
  }
  const frame = ({ begin, end, status }: Ace) => [
    ...(begin === null ? [] : [say('from', { date: date(begin) })]),
    ...(end === null ? [] : [say('until', { date: date(end) })]),
    ...(status === 'effective' ? [] : [say(status)]),
  ]
  return { permissionIn, may, frame }
}
