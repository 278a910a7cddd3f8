import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { administrationKeys } from '../../api/administration/entity-pages.ts'
import { groupsWith } from '../../api/administration/people.ts'
import { FoundChoices } from '../../ui/found-choices.tsx'
import { usePeopleWords } from '../people/words.ts'

export interface GroupFieldProps {
  readonly label: string
  readonly values: readonly string[]
  /** Not offered: those that are there already. */
  readonly left?: readonly string[]
  onChange(values: readonly string[]): void
}

/** Groups, found by the beginnings of their names. */
export function GroupField({ label, values, left = [], onChange }: GroupFieldProps) {
  const say = usePeopleWords()
  const [typed, setTyped] = useState('')
  const term = useDeferredValue(typed.trim())
  const { key, fetch } = groupsWith(term)
  const { data, isFetching } = useQuery({
    queryKey: [...administrationKeys.all, ...key, 0],
    queryFn: ({ signal }) => fetch(0, signal),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  })
  const found = (data?.entries ?? []).filter(({ id }) => !left.includes(id))
  return (
    <FoundChoices
      label={label}
      values={values}
      shown={(value) => value}
      nameOf={(value) => value}
      found={term === '' ? [] : found.map(({ id, grouplabel }) => ({ value: id, label: grouplabel || id }))}
      typed={typed}
      placeholder={say('type')}
      noneFound={say(term === '' ? 'type' : isFetching ? 'searching' : 'nobody')}
      removeLabel={(name) => say('remove', { name })}
      onType={setTyped}
      onChange={onChange}
    />
  )
}
