import type { DirectoryEntry } from '../../../store/directories.ts'

/** What the client wants to see of users and groups. */
export interface SuggestionLabels {
  /** The first name unless told. */
  readonly firstLabelField?: string | undefined
  /** The last name unless told. */
  readonly secondLabelField?: string | undefined
  /** The e-mail address unless told; shown when it is asked for. */
  readonly thirdLabelField?: string | undefined
  readonly hideFirstLabel: boolean
  readonly hideSecondLabel: boolean
  readonly hideThirdLabel: boolean
  readonly displayEmailInSuggestion: boolean
  readonly hideIcon: boolean
}

/** `{"username": "jdoe", …, "type": "USER_TYPE", "prefixed_id": "user:jdoe", "displayLabel": "Jane Doe"}`. */
export function suggestedUser(user: DirectoryEntry, labels: SuggestionLabels): object {
  return suggested('user', user, userLabel(user, labels), labels)
}

export function suggestedGroup(group: DirectoryEntry, labels: SuggestionLabels): object {
  const label = labels.hideFirstLabel ? '' : textAt(group, 'grouplabel')
  return suggested('group', group, label || group.id, labels)
}

function suggested(
  kind: 'user' | 'group',
  { id, values }: DirectoryEntry,
  displayLabel: string,
  labels: SuggestionLabels,
): object {
  return {
    ...values,
    id,
    'entity-type': kind,
    type: kind === 'user' ? 'USER_TYPE' : 'GROUP_TYPE',
    prefixed_id: `${kind}:${id}`,
    displayLabel,
    ...(!labels.hideIcon && { displayIcon: true }),
  }
}

function userLabel(user: DirectoryEntry, labels: SuggestionLabels): string {
  const first = labels.hideFirstLabel ? '' : textAt(user, labels.firstLabelField || 'firstName')
  const second = labels.hideSecondLabel ? '' : textAt(user, labels.secondLabelField || 'lastName')
  const name = joined(first, second) || user.id
  const isLong = labels.displayEmailInSuggestion && !labels.hideThirdLabel
  return isLong ? joined(name, textAt(user, labels.thirdLabelField || 'email')) : name
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

function textAt({ values }: DirectoryEntry, field: string): string {
  const value = Object.hasOwn(values, field) ? values[field] : undefined
  return typeof value === 'string' ? value.trim() : ''
}
