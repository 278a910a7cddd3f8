import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { nameIn, type Person as PersonData, personQuery } from '../../api/people.ts'
import styles from './person.module.css'

/** The server itself and groups are no accounts that could be asked for. */
export const isAccount = (reference: string) =>
  reference !== '' && !reference.startsWith('group:') && nameIn(reference) !== 'system'

/** What people call somebody; their account's name until that is known. */
export function usePersonName(reference: string): string {
  const { data } = useQuery({ ...personQuery(reference), enabled: isAccount(reference) })
  return data?.label ?? nameIn(reference)
}

/** Somebody in a sentence or a column, by what people call them. */
export function PersonName({ reference }: { readonly reference: string }) {
  return usePersonName(reference)
}

export interface PersonProps {
  /** The name of a user or group, with or without `user:` or `group:` before it. */
  readonly reference: string
  readonly size?: 'small' | 'large' | 'huge'
  /** Also for those who see. */
  readonly isNamed?: boolean
}

/** Somebody: a picture or initials, and the name. */
export function Person({ reference, size = 'small', isNamed = true }: PersonProps) {
  const { data } = useQuery({ ...personQuery(reference), enabled: isAccount(reference) })
  const person: PersonData = data ?? {
    name: nameIn(reference),
    kind: reference.startsWith('group:') ? 'group' : 'user',
    label: nameIn(reference),
  }
  return (
    <span className={styles.person} data-size={size} title={isNamed ? undefined : person.label}>
      <Picture person={person} />
      <span className={isNamed ? styles.name : 'only-read'}>{person.label}</span>
    </span>
  )
}

const tones = 6

function Picture({ person: { name, kind, label, picture } }: { readonly person: PersonData }) {
  if (picture !== undefined) return <img className={styles.picture} src={picture} alt="" />
  const tone = [...name].reduce((sum, character) => (sum * 33 + (character.codePointAt(0) ?? 0)) % 65_521, 5) % tones
  return (
    <span className={styles.picture} data-tone={tone} aria-hidden>
      {kind === 'group' ? <Users size={12} /> : initialsOf(label)}
    </span>
  )
}

/** Of the first and the last word. */
function initialsOf(label: string): string {
  const words = label.split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}
