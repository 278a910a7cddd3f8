import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { nameIn, type Person as PersonData, personQuery, suggestedPeopleQuery } from '../../api/people.ts'
import { FoundChoices } from '../../ui/found-choices.tsx'
import { Person } from './person.tsx'
import { usePeopleWords } from './words.ts'

export interface PeopleFieldProps {
  readonly label: string
  /** Names of users and groups; with what each is before it where groups are taken. */
  readonly values: readonly string[]
  readonly takesGroups?: boolean
  readonly isSingle?: boolean
  readonly isRequired?: boolean
  readonly mistake?: string
  onChange(values: readonly string[]): void
}

/** People, found by the beginnings of their names. */
export function PeopleField({ label, values, takesGroups = true, isSingle, isRequired, mistake, onChange }: PeopleFieldProps) {
  const say = usePeopleWords()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const term = useDeferredValue(typed)
  const { data = [], isFetching } = useQuery({ ...suggestedPeopleQuery(term, takesGroups), placeholderData: keepPreviousData })
  const referenceTo = ({ kind, name }: PersonData) => (takesGroups ? `${kind}:${name}` : name)
  const found = data.map((person) => ({
    value: referenceTo(person),
    label: person.label,
    hint: person.kind === 'group' ? say('group') : (person.hint ?? (person.label === person.name ? undefined : person.name)),
  }))
  return (
    <FoundChoices
      label={label}
      values={values}
      shown={(value) => <Person reference={value} />}
      nameOf={(value) => queries.getQueryData<PersonData>(personQuery(value).queryKey)?.label ?? nameIn(value)}
      found={typed.trim() === '' ? [] : found}
      typed={typed}
      placeholder={say('type')}
      noneFound={say(typed.trim() === '' ? 'type' : isFetching ? 'searching' : 'nobody')}
      mistake={mistake}
      isSingle={isSingle}
      isRequired={isRequired}
      removeLabel={(name) => say('remove', { name })}
      onType={setTyped}
      onChange={onChange}
    />
  )
}
