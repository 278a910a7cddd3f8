import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../../api/client.ts'
import { ProblemPanel } from '../../ui/problem-panel.tsx'
import { useProblemWords } from './words.ts'

export interface ShownProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Keeps the place while the data is on its way. */
  readonly waiting: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** What a query brought, what stands in its place while it is asked, or the reason why it cannot be had. */
export function Shown<Data>({ query, waiting, children }: ShownProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Refused error={query.error} onRetry={() => void query.refetch()} />
  return waiting
}

export function Refused({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const say = useProblemWords()
  const isOffline = error instanceof Problem && error.isOffline
  return (
    <ProblemPanel
      title={say(isOffline ? 'offline' : 'failed')}
      sentence={isOffline ? say('offlineHint') : error instanceof Error ? error.message : String(error)}
      isOffline={isOffline}
      retryLabel={say('tryAgain')}
      onRetry={onRetry}
    />
  )
}
