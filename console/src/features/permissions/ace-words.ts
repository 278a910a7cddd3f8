import type { components } from '../../api/entities.ts'
import { useFormats } from '../../words/formats.ts'
import { usePermissionWords } from './words.ts'

export type Ace = components['schemas']['ShownAce']

const wellKnown = ['Read', 'ReadWrite', 'Write', 'Everything'] as const

/** What an entry of a list of rights means: what somebody may do, and for how long. */
export function useAceWords() {
  const say = usePermissionWords()
  const { date } = useFormats()
  const may = ({ permission, granted }: Ace) => {
    if (!granted) return say('denied', { permission })
    const known = wellKnown.find((one) => one === permission)
    return known === undefined ? say('other', { permission }) : say(known)
  }
  const frame = ({ begin, end, status }: Ace) => [
    ...(begin === null ? [] : [say('from', { date: date(begin) })]),
    ...(end === null ? [] : [say('until', { date: date(end) })]),
    ...(status === 'effective' ? [] : [say(status)]),
  ]
  return { may, frame }
}
