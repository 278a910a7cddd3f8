import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { meQuery } from '../api/documents.ts'
import { NotFound } from './not-found.tsx'

const Administration = lazy(async () => ({ default: (await import('./administration-screens.tsx')).Administration }))

/** For whoever is no administrator there is nothing here, and nothing is asked for. */
export function AdministrationGate() {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.isAdministrator ? (
    <Suspense>
      <Administration />
    </Suspense>
  ) : (
    <NotFound />
  )
}
