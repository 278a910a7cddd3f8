import { useSuspenseQuery } from '@tanstack/react-query'
import { meQuery } from '../api/documents.ts'
import { managesRecords } from '../api/people.ts'
import { Part } from '../features/problems/part.tsx'
import { NotFound } from './not-found.tsx'

/** For whoever looks after neither the server nor records there is nothing here, and nothing is asked for. */
export function AdministrationGate() {
  const { data: me } = useSuspenseQuery(meQuery)
  return managesRecords(me) ? (
    <Part name="administration" load={() => import('./administration-screens.tsx')} waiting={null}>
      {({ Administration }) => <Administration />}
    </Part>
  ) : (
    <NotFound />
  )
}
